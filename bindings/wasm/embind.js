// An Emscripten library: Embind's half in JavaScript, for a module whose functions take one number at most and give one or none.
// C++ registers every type when the module starts, then its functions. Of the types, JavaScript must tell those without a sign,
// as wasm has none but numbers with one; the code of all others is left out of what a page loads.
// A function of C++ is called through its invoker: two entries of the wasm table.

const ours = {
  $unsignedTypes: 'new Set',
  _embind_register_integer__deps: ['$unsignedTypes'],
  _embind_register_integer: (type, name, size, least) => {
    if (least === 0) unsignedTypes.add(type);
  },
  _embind_register_function__deps: ['$unsignedTypes', '$wasmTable'],
  _embind_register_function: (name, count, types, signature, invoker, target) => {
    let text = '';
    for (let at = name; HEAPU8[at]; at++) text += String.fromCharCode(HEAPU8[at]);
    const call = wasmTable.get(invoker);
    Module[text] = unsignedTypes.has(HEAPU32[types >> 2]) ? (x) => call(target, x) >>> 0 : (x) => call(target, x);
    Module['wasmMemory'] = wasmMemory;
  },
};
for (const type of ['bigint', 'bool', 'emval', 'float', 'memory_view', 'std_string', 'std_wstring', 'void']) {
  ours[`_embind_register_${type}`] = () => {};
  ours[`_embind_register_${type}__deps`] = [];
}
for (const name of Object.keys(ours)) delete LibraryManager.library[`${name}__sig`]; // of arguments that are not read
Object.assign(LibraryManager.library, ours);
