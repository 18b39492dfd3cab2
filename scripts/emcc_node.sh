#!/bin/sh
# The Node that runs what emcc has built: the set-up's trial program and the C++ tests in wasm. Node 20 knows relaxed SIMD
# only behind this flag; newer Nodes have it and reject the flag. emcc's EM_NODE_JS takes one word, hence a script.
node=${FOVEA_NODE:-node}
flag=--experimental-wasm-relaxed-simd
"$node" $flag -e 0 2>/dev/null || flag=
exec "$node" $flag "$@"
