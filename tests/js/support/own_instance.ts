/** An instance made of the sources, whose inside a test can look at. */
import { readFileSync } from 'node:fs';
import { createFovea, type Fovea } from '../../../bindings/js/fovea/fovea.ts';
import { Instance } from '../../../bindings/js/runtime/instance.ts';
import createCore from '../../../build/wasm/simd128/fovea.web.mjs';

export async function ownInstance(): Promise<{ readonly instance: Instance; readonly fovea: Fovea }> {
  const core = await createCore({
    instantiateWasm(imports, receive) {
      void WebAssembly.instantiate(readFileSync('build/wasm/simd128/fovea.wasm'), imports).then(({ instance, module }) =>
        receive(instance, module),
      );
      return {};
    },
  });
  const info = { version: '', variant: 'simd128', threads: 1, fallbackReason: null } as const;
  const instance = new Instance(core, info, { maximumBytes: 2 ** 32, end() {} });
  return { instance, fovea: createFovea(instance) };
}
