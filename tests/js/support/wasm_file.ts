/** Reads a WebAssembly file: its functions down to single instructions, without running or compiling it. */

export interface Instruction {
  /** The opcode; of a prefixed one prefix · 0x10000 + number, e.g. 0xfd0105 = f32x4.relaxed_madd. */
  readonly code: number;
  /** The function that it calls, by index. */
  readonly callee: number | undefined;
  /** How many loops it stands in. */
  readonly loops: number;
}

export interface WasmFile {
  readonly importedFunctions: number;
  readonly otherImports: number;
  /** Bodies of functions that are not imported, by index less importedFunctions. */
  readonly bodies: readonly (readonly Instruction[])[];
  /** The bytes of each of them. */
  readonly sizes: readonly number[];
  /** Names and kinds (0 = a function). */
  readonly exports: readonly string[];
  readonly customSections: readonly string[];
  /** Its own or imported, in pages of 64 KiB. */
  readonly memory: { readonly initial: number; readonly maximum: number | undefined; readonly shared: boolean } | undefined;
}

export function readWasm(bytes: Uint8Array): WasmFile {
  const reader = new Reader(bytes);
  if (reader.u32le() !== 0x6d736100 || reader.u32le() !== 1) throw new Error('not a WebAssembly file');
  const file = {
    importedFunctions: 0,
    otherImports: 0,
    bodies: [] as Instruction[][],
    sizes: [] as number[],
    exports: [] as string[],
    customSections: [] as string[],
  };
  let memory: WasmFile['memory'];
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    if (id === 0) file.customSections.push(reader.name());
    if (id === 2) {
      reader.repeat(() => {
        const { kind, imported } = readImport(reader);
        memory ??= imported;
        return kind === 0 ? file.importedFunctions++ : file.otherImports++;
      });
    }
    if (id === 5) reader.repeat(() => (memory = readMemory(reader)));
    if (id === 7) {
      reader.repeat(() => {
        file.exports.push(`${reader.name()} ${reader.byte()}`);
        reader.unsigned();
      });
    }
    if (id === 10) {
      reader.repeat(() => {
        const from = reader.at;
        file.bodies.push(readBody(reader));
        file.sizes.push(reader.at - from);
      });
    }
    reader.at = end;
  }
  return { ...file, memory };
}

/** Reads an import: kind 0 = a function, 2 = a memory. */
function readImport(reader: Reader): { kind: number; imported?: NonNullable<WasmFile['memory']> } {
  reader.name();
  reader.name();
  const kind = reader.byte();
  if (kind === 2) return { kind, imported: readMemory(reader) };
  if (kind === 0) reader.unsigned();
  else if (kind === 1) (reader.byte(), readMemory(reader));
  else reader.skip(2);
  return { kind };
}

function readMemory(reader: Reader): NonNullable<WasmFile['memory']> {
  const flags = reader.byte();
  const initial = reader.unsigned();
  return { initial, maximum: flags & 1 ? reader.unsigned() : undefined, shared: (flags & 2) !== 0 };
}

function readBody(reader: Reader): Instruction[] {
  const size = reader.unsigned();
  const end = reader.at + size;
  reader.repeat(() => (reader.unsigned(), reader.byte())); // locals
  const body: Instruction[] = [];
  const open: number[] = []; // the opcodes of the blocks around
  while (reader.at < end) {
    const first = reader.byte();
    const code = first < 0xfc ? first : first * 0x10000 + reader.unsigned();
    const callee = skipOperands(reader, code);
    body.push({ code, callee, loops: open.filter((block) => block === LOOP).length });
    if (code >= BLOCK && code <= IF) open.push(code);
    if (code === END) open.pop();
  }
  if (reader.at !== end) throw new Error('a function body was read past its end');
  return body;
}

const [BLOCK, LOOP, IF, END, BR_TABLE, CALL] = [0x02, 0x03, 0x04, 0x0b, 0x0e, 0x10];

/** Reads over what follows an opcode; returns the index of a called function. */
function skipOperands(reader: Reader, code: number): number | undefined {
  const between = (from: number, to: number) => code >= from && code <= to;
  if (code === CALL) return reader.unsigned();
  if (between(BLOCK, IF))
    reader.unsigned(); // a block's type: as many bytes as an unsigned number
  else if (code === BR_TABLE) (reader.repeat(() => reader.unsigned()), reader.unsigned());
  else if (code === 0x11)
    reader.skipNumbers(2); // call_indirect
  else if (code === 0x1c)
    reader.repeat(() => reader.byte()); // select with types
  else if (between(0x28, 0x3e))
    reader.skipNumbers(2); // loads and stores: alignment, offset
  else if (code === 0x43)
    reader.skip(4); // f32.const
  else if (code === 0x44)
    reader.skip(8); // f64.const
  else if (between(0x0c, 0x0d) || between(0x20, 0x26) || between(0x3f, 0x42) || code === 0xd0 || code === 0xd2)
    reader.unsigned();
  else if (between(0xfc0008, 0xfc0011))
    reader.skipNumbers([8, 10, 12, 14].includes(code & 0xff) ? 2 : 1); // bulk memory, tables
  else if (between(0xfd0000, 0xfd000b) || between(0xfd005c, 0xfd005d))
    reader.skipNumbers(2); // v128 loads and stores
  else if (between(0xfd000c, 0xfd000d))
    reader.skip(16); // v128.const, shuffle
  else if (between(0xfd0015, 0xfd0022))
    reader.skip(1); // lanes
  else if (between(0xfd0054, 0xfd005b))
    (reader.skipNumbers(2), reader.skip(1)); // loads and stores of a lane
  else if (code === 0xfe0003)
    reader.skip(1); // atomic.fence
  else if (between(0xfe0000, 0xfeffff)) reader.skipNumbers(2);
  return undefined;
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.at++];
    if (value === undefined) throw new Error('the file ends in the middle');
    return value;
  }

  u32le(): number {
    return (this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24)) >>> 0;
  }

  /** LEB128. A signed number has the same length; its value is not needed. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const part = this.byte();
      value += (part & 127) * factor;
      if (part < 128) return value;
    }
  }

  name(): string {
    const length = this.unsigned();
    this.at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.at - length, this.at));
  }

  repeat(read: () => unknown): void {
    for (let left = this.unsigned(); left > 0; left--) read();
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  skipNumbers(count: number): void {
    for (let left = count; left > 0; left--) this.unsigned();
  }
}
