#!/bin/sh
# The Node that emcc runs. With -sEMBIND_AOT emcc starts the module while linking, and Node 20 knows relaxed SIMD
# only behind this flag; newer Nodes have it and reject the flag. emcc's EM_NODE_JS takes one word, hence a script.
node=${FOVEA_NODE:-node}
flag=--experimental-wasm-relaxed-simd
"$node" $flag -e 0 2>/dev/null || flag=
exec "$node" $flag "$@"
