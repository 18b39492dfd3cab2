/** The description of the parameter blocks and what is made of it: scripts of the repository, not bundled into tests. */
import { root } from './repository.ts';

export type Blocks = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The names of each enum of the core, in order. */
export type Enums = Readonly<Record<string, readonly string[]>>;

interface Generator {
  abiHash(blocks?: Blocks, enums?: Enums): number;
  layOut(block: Blocks[string]): {
    readonly fields: readonly { readonly name: string; readonly type: string; readonly offset: number }[];
    readonly bytes: number;
  };
  blockModule(name: string, block: Blocks[string]): string;
  enumModule(name: string, names: readonly string[]): string;
  abiModule(blocks?: Blocks): string;
}

export const { blocks, enums } = (await import(`${root}/bindings/abi.mjs`)) as { blocks: Blocks; enums: Enums };
export const { abiHash, layOut, abiModule, blockModule, enumModule } = (await import(
  `${root}/scripts/generate_abi.mjs`
)) as Generator;

/** Copies of the description, in each of which two neighbors of one block are exchanged. */
export function swaps(of: Blocks): Blocks[] {
  return Object.entries(of).flatMap(([name, block]) => {
    const fields = Object.entries(block);
    return fields.slice(1).map((field, n) => {
      const swapped = [...fields.slice(0, n), field, fields[n]!, ...fields.slice(n + 2)];
      return { ...of, [name]: Object.fromEntries(swapped) };
    });
  });
}
