/**
 * Writes build/generated from bindings/abi.mjs: abi.hpp and enums.hpp for C++, abi.ts, blocks/NAME.ts and enums/NAME.ts for TypeScript.
 * Each block and each enum is a module, so that a bundler gives an entry those that it uses. The builds, `npm run check` and the tests
 * call it first; a file that stays as it is keeps its time, so that nothing is compiled again for it.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocks as described, enums as describedEnums } from '../bindings/abi.mjs';

const folder = fileURLToPath(new URL('../build/generated', import.meta.url));
const origin = 'Made by scripts/generate_abi.mjs of bindings/abi.mjs.';

const scalars = {
  u8: { cpp: 'std::uint8_t', bytes: 1 },
  u32: { cpp: 'std::uint32_t', bytes: 4, view: 'i32' },
  i32: { cpp: 'std::int32_t', bytes: 4, view: 'i32' },
  f32: { cpp: 'float', bytes: 4, view: 'f32' },
  u64: { cpp: 'std::uint64_t', bytes: 8, view: 'i32' },
  f64: { cpp: 'double', bytes: 8, view: 'f64' },
};
const pointer = { bytes: 4, view: 'i32' };

const isPointer = (type) => type.endsWith('*');

function sizeOf(type) {
  const known = isPointer(type) ? pointer : scalars[type];
  if (known?.view === undefined) throw new Error(`abi.mjs: no field can be of the type '${type}'`);
  return known;
}

const align = (offset, bytes) => Math.ceil(offset / bytes) * bytes;

/** Where a block's fields lie, as a C++ compiler places them, and its size. */
export function layOut(block) {
  let end = 0;
  let alignment = 1;
  const fields = Object.entries(block).map(([name, type]) => {
    const { bytes, view } = sizeOf(type);
    const offset = align(end, bytes);
    end = offset + bytes;
    alignment = Math.max(alignment, bytes);
    return { name, type, offset, view };
  });
  return { fields, bytes: align(end, alignment) };
}

/** FNV-1a (32 bit) over the names of all blocks, the names and types of their fields, and the names of all enums, in order. */
export function abiHash(blocks = described, enums = describedEnums) {
  let hash = 2166136261;
  const add = (lines) => {
    for (const c of `${lines.join('\n')}\n`) hash = Math.imul(hash ^ c.charCodeAt(0), 16777619);
  };
  for (const [name, block] of Object.entries(blocks)) {
    add([name, ...Object.entries(block).map((field) => field.join(' '))]);
  }
  for (const [name, names] of Object.entries(enums)) add([name, ...names]);
  return hash >>> 0;
}

const snakeCase = (name) => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
const constantCase = (name) => snakeCase(name).toUpperCase();
const cppType = (type) => type.replace(/\b[uif]\d+\b/, (scalar) => scalars[scalar].cpp);

/** The structs of the blocks. */
export function cppHeader(blocks = described) {
  const structs = Object.entries(blocks).map(([name, block]) => {
    const { fields, bytes } = layOut(block);
    const struct = `${name}Block`;
    return [
      `struct ${struct} {`,
      ...fields.map(({ name, type }) => `  ${cppType(type)} ${snakeCase(name)};`),
      '};',
      `static_assert(sizeof(${struct}) == ${bytes});`,
      ...fields.map(({ name, offset }) => `static_assert(offsetof(${struct}, ${snakeCase(name)}) == ${offset});`),
      '',
    ].join('\n');
  });
  return `#pragma once
/// The parameter blocks: what one call passes in wasm memory. ${origin}

#include <cstddef>
#include <cstdint>

namespace fovea::wasm {

/// The hash of the names and types of all fields; bindings/js compares it with its own.
inline constexpr std::uint32_t kAbiHash = ${abiHash(blocks)}u;

${structs.join('\n')}
}  // namespace fovea::wasm
`;
}

/** 'favor+' as Favor, 'tensor2tensor' as Tensor2Tensor. */
const enumerator = (name) => name.replace(/(^|\d)[a-z]/g, (start) => start.toUpperCase()).replace(/[^A-Za-z0-9]/g, '');

/** C++ assertions that fail to compile where an enum of the core has other enumerators than the description. */
export function enumChecks(enums = describedEnums) {
  const checks = Object.entries(enums).map(([name, names]) => {
    const all = names.map((one) => `${name}::${enumerator(one)}`);
    return [
      ...all.map((one, n) => `static_assert(static_cast<std::uint32_t>(${one}) == ${n});`),
      `constexpr bool is_described(${name} value) noexcept {`,
      '  switch (value) {',
      ...all.map((one) => `    case ${one}:`),
      '      return true;',
      '  }',
      '  return false;',
      '}',
      '',
    ].join('\n');
  });
  return `#pragma once
/// The numbers of the core's enums, whose headers stand before this one. A switch warns of an enumerator that the description
/// lacks. ${origin}

namespace fovea {

${checks.join('\n')}
}  // namespace fovea
`;
}

/** The module of an enum: its names by their numbers, and their type. */
export function enumModule(name, names) {
  const quoted = names.map((one) => `'${one}'`);
  return `/** ${origin} */
export const ${constantCase(name)} = [${quoted.join(', ')}] as const;
/** @inline */
export type ${name} = ${quoted.join(' | ')};
`;
}

/** The statements that store a block's fields one after another; written with `w++` they compress best. */
function storeFields(fields) {
  let end = 0;
  return fields.flatMap(({ name, type, offset, view }) => {
    const value = `f.${name} ?? 0`;
    const stores = {
      f64: [`f64[w >> 1] = ${value};`, 'w += 2;'],
      u64: [`i32[w++] = ${value};`, `i32[w++] = (${value}) / 2 ** 32;`],
    }[type] ?? [`${view}[w++] = ${value};`];
    const padding = offset > end ? [`w += ${(offset - end) / 4};`] : [];
    end = offset + sizeOf(type).bytes;
    return [...padding, ...stores];
  });
}

/** The module of a block: the type of its fields, and what writes it. */
export function blockModule(name, block) {
  const { fields, bytes } = layOut(block);
  const views = [...new Set(fields.map(({ view }) => view))].join(', ');
  return `/** ${origin} */
import type { Block } from '../abi.ts';

export interface ${name}Block {
${fields.map((field) => `  ${field.name}: number;`).join('\n')}
}

export const ${constantCase(name)}_BLOCK: Block<${name}Block> = {
  bytes: ${bytes},
  write({ ${views} }, at, f) {
    let w = at >>> 2;
${storeFields(fields)
  .map((line) => `    ${line}`)
  .join('\n')}
  },
};
`;
}

/** The module of what all blocks have in common. */
export function abiModule(blocks = described) {
  return `/** The views and helpers that all parameter blocks share. ${origin} */

/** Views of the whole wasm memory. */
export interface MemoryViews {
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

export interface Block<Fields> {
  readonly bytes: number;
  /** Writes the block at the address \`at\`. Every field is given, or \`fields\` inherits nothing: a field that is absent is 0. */
  write(views: MemoryViews, at: number, fields: Fields): void;
}

/** The hash of the names and types of all fields; the module's own must be equal. */
export const ABI_HASH = ${abiHash(blocks)};

/** Room for the largest block. */
export const MAX_BLOCK_BYTES = ${Math.max(...Object.values(blocks).map((block) => layOut(block).bytes))};
`;
}

/** The text of every generated file by its path. */
function generatedFiles() {
  const modules = (folder, of, write) =>
    Object.entries(of).map(([name, what]) => [`${folder}/${snakeCase(name)}.ts`, write(name, what)]);
  return new Map([
    ['abi.hpp', cppHeader()],
    ['enums.hpp', enumChecks()],
    ['abi.ts', abiModule()],
    ...modules('blocks', described, blockModule),
    ...modules('enums', describedEnums, enumModule),
  ]);
}

/** Writes a file of build/generated; one that is as it should be keeps its time. */
export function writeIfChanged(name, text) {
  const path = join(folder, name);
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  // In one step, as builds beside this one may read it.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, path);
}

export function generateAbi() {
  const files = generatedFiles();
  for (const [name, text] of files) writeIfChanged(name, text);
  for (const made of ['blocks', 'enums']) {
    for (const name of readdirSync(join(folder, made))) {
      if (name.endsWith('.ts') && !files.has(`${made}/${name}`)) rmSync(join(folder, made, name), { force: true });
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) generateAbi();
