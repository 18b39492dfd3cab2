// An Emscripten library: C++ registers every type of Embind with JavaScript when it starts. The module's functions take and give
// numbers alone: the code of the other types is left out of what a page loads.

for (const type of ['bigint', 'emval', 'memory_view', 'std_string', 'std_wstring']) {
  const name = `_embind_register_${type}`;
  LibraryManager.library[name] = () => {};
  LibraryManager.library[`${name}__deps`] = [];
  delete LibraryManager.library[`${name}__sig`]; // of the arguments that are not read
}
