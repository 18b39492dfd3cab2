#!/bin/sh
# The Node that runs what emcc has built: the set-up's trial program and the C++ tests in wasm. Node 20 knows relaxed SIMD
# only behind a flag, and its quick compiler of wasm, Liftoff, adds the relaxed dot product twice where the sum and the result
# are one register; newer Nodes have no need of either and reject the flag. emcc's EM_NODE_JS takes one word, hence a script.
node=${FOVEA_NODE:-node}
flags='--experimental-wasm-relaxed-simd --no-liftoff'
"$node" $flags -e 0 2>/dev/null || flags=
exec "$node" $flags "$@"
