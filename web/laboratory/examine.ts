import { load, type Fovea, type LoadOptions, type Variant } from 'fovea';

/** Whether a build of the core computes here, and what is to be said of it. */
export interface Finding {
  /** A build, or a call of load(). */
  readonly name: string;
  readonly works: boolean;
  /** The words of the package: the variant with its threads, or why it cannot run. */
  readonly says: string;
}

const VARIANTS: readonly Variant[] = ['relaxed', 'simd128', 'relaxed-threads', 'simd128-threads'];

const CALLS: Readonly<Record<string, LoadOptions>> = {
  'load()': {},
  "load({ threads: 'auto' })": { threads: 'auto' },
  'load({ deterministic: true })': { deterministic: true },
};

/** Loads every build and computes with it, then asks load() what it takes: `fovea doctor` for this browser. */
export async function examine(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const variant of VARIANTS) findings.push(await tryLoad(variant, { variant }, () => ''));
  for (const [call, options] of Object.entries(CALLS)) {
    findings.push(
      await tryLoad(call, options, ({ info }) => {
        const reason = info.fallbackReason === null ? '' : `: ${info.fallbackReason}`;
        return `${info.variant} × ${info.threads}${reason}`;
      }),
    );
  }
  return findings;
}

/** A core that loads must also compute: one query between two keys, whose weights are softmax([1, 0] / √2). */
async function tryLoad(name: string, options: LoadOptions, words: (fovea: Fovea) => string): Promise<Finding> {
  let fovea: Fovea | undefined;
  try {
    fovea = await load(options);
    const [first = NaN] = fovea.attention([[1, 0]], [[1, 0], [0, 1]], [[1], [3]]).output.data; // prettier-ignore
    const works = Math.abs(first - 1.6604768) <= 1e-5;
    return { name, works, says: works ? words(fovea) : String(first) };
  } catch (error) {
    return { name, works: false, says: (error as Error).message.replace(/^load: /, '') };
  } finally {
    fovea?.dispose();
  }
}
