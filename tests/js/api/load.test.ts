import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { AttentionError, load, Tensor, type LoadOptions } from 'fovea';
import * as inline from 'fovea/inline';
import { relaxedSimd } from 'wasm-feature-detect';
import { abiHash, blocks, swaps } from '../support/abi.ts';
import { numbers, same, works } from '../support/api.ts';

const file = (variant: string): string => fileURLToPath(import.meta.resolve(`fovea/wasm/${variant}.wasm`));
const bytes = readFileSync(file('simd128'));
/** The entry that `exports` gives to engines other than Node. */
const web = (await import(import.meta.resolve('fovea').replace('index.node.js', 'index.web.js'))) as {
  load: typeof load;
  AttentionError: typeof AttentionError;
};
const relaxed = await relaxedSimd();

async function refuses(
  code: string,
  message: RegExp,
  options: unknown,
  loader: (options: LoadOptions) => Promise<unknown> = load,
): Promise<void> {
  await assert.rejects(loader(options as LoadOptions), (error) => {
    const kind = loader === web.load ? web.AttentionError : AttentionError;
    assert.ok(error instanceof kind, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
  works();
}

const answers: Record<string, [status: number, type: string, body: Uint8Array | string]> = {
  '/good.wasm': [200, 'application/wasm', bytes],
  '/mime.wasm': [200, 'text/plain', bytes],
  '/page.wasm': [200, 'text/html', '<!doctype html><title>App</title>'],
  '/lying.wasm': [200, 'application/wasm', '<!doctype html><title>App</title>'],
  '/cut.wasm': [200, 'application/wasm', bytes.subarray(0, 5000)],
  '/empty.wasm': [200, 'application/wasm', ''],
  '/json.wasm': [200, 'application/json', '{"a":1}'],
};
const server: Server = createServer((request, response) => {
  const [status, type, body] = answers[request.url ?? ''] ?? [404, 'text/html', '<h1>Not found</h1>'];
  response.writeHead(status, { 'content-type': type }).end(body);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
after(() => server.close());

test('load picks relaxed SIMD where the engine has it, else simd128', async () => {
  const { info } = await load();
  assert.deepEqual(
    { ...info },
    { version: info.version, variant: relaxed ? 'relaxed' : 'simd128', threads: 1, fallbackReason: null },
  );
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  assert.equal(info.version, version);
  assert.ok(Object.isFrozen(info));
});

test('deterministic is simd128', async () => assert.equal((await load({ deterministic: true })).info.variant, 'simd128'));

test('variant pins a build; where it cannot run, a load error says why', async () => {
  assert.equal((await load({ variant: 'simd128' })).info.variant, 'simd128');
  if (relaxed) assert.equal((await load({ variant: 'relaxed' })).info.variant, 'relaxed');
  else await refuses('load', /'relaxed' cannot run: this engine has no relaxed SIMD/, { variant: 'relaxed' });
});

test('instances share nothing', async () => {
  const [a, b] = await Promise.all([load(), load()]);
  a.tensor([1, 2]);
  assert.equal(b.memory().live, 0);
});

test("load's options are checked like all others", async () => {
  await refuses('option', /^load: unknown option 'determinstic'; did you mean 'deterministic'\?$/, { determinstic: true });
  await refuses('option', /variant must be .*got 'simd12'; did you mean 'simd128'/, { variant: 'simd12' });
  await refuses('value', /deterministic must be true or false/, { deterministic: 1 });
  await refuses('option', /deterministic means the variant 'simd128', got variant 'relaxed'/, {
    deterministic: true,
    variant: 'relaxed',
  });
  await refuses('value', /threads must be an integer of at least 1, got 0/, { threads: 0 });
  await refuses('option', /threads must be a number or 'auto', got 'many'/, { threads: 'many' });
  await refuses('option', /wasmUrl and wasmBinary each say where the module comes from/, { wasmUrl: 'x', wasmBinary: bytes });
  await refuses('value', /wasmUrl must be a string or a URL, got 3/, { wasmUrl: 3 });
  await refuses('value', /wasmBinary must be an ArrayBuffer or a view of one, got \[1\]/, { wasmBinary: [1] });
  await refuses('value', /wasmModule must be a WebAssembly\.Module, got an object/, { wasmModule: {} });
  await refuses('option', /options must be an object/, 'fast');
  assert.ok(
    await load({
      variant: undefined,
      deterministic: undefined,
      threads: undefined,
      wasmUrl: undefined,
      wasmBinary: undefined,
      wasmModule: undefined,
    }),
  );
});

test('wasmBinary, wasmModule and wasmUrl each give the bits of the packaged file', async () => {
  const x = numbers([9, 5]);
  const want = (await load({ deterministic: true })).attention(x, x, x).output.data;
  const sources: LoadOptions[] = [
    { wasmBinary: bytes },
    { wasmBinary: new Uint8Array(bytes).buffer },
    { wasmModule: await WebAssembly.compile(bytes) },
    { wasmUrl: file('simd128') },
    { wasmUrl: pathToFileURL(file('simd128')) },
    { wasmUrl: pathToFileURL(file('simd128')).href },
    { wasmUrl: `${base}/good.wasm` },
    { wasmUrl: new URL(`${base}/mime.wasm`) },
  ];
  for (const source of sources) {
    const fovea = await load(source);
    assert.equal(fovea.info.variant, 'simd128');
    same(fovea.attention(x, x, x).output.data, want);
  }
});

test('a module of another variant than was asked for is a load error', async () => {
  await refuses('load', /variant 'relaxed' was asked for, but the module given is 'simd128'/, {
    variant: 'relaxed',
    wasmBinary: bytes,
  });
  if (relaxed)
    await refuses('load', /deterministic means the variant 'simd128', but the module given is 'relaxed'/, {
      deterministic: true,
      wasmUrl: file('relaxed'),
    });
});

test('a missing file, an HTML page, wrong or damaged bytes are told apart, with the remedy', async () => {
  const remedy = /wasmUrl, wasmBinary or wasmModule.*fovea\/inline/;
  const cases: [LoadOptions, RegExp][] = [
    [{ wasmUrl: `${base}/none.wasm` }, /none\.wasm: the server answered 404 Not Found/],
    [{ wasmUrl: `${base}/page.wasm` }, /page\.wasm: an HTML page came in its place \("<!doctype html><title>A/],
    [{ wasmUrl: `${base}/lying.wasm` }, /an HTML page came in its place/],
    [
      { wasmUrl: `${base}/cut.wasm` },
      /cut\.wasm \(5000 bytes\) does not compile: it is truncated, damaged, or needs what this engine lacks/,
    ],
    [{ wasmUrl: `${base}/empty.wasm` }, /empty\.wasm: it is empty/],
    [{ wasmUrl: `${base}/json.wasm` }, /its 7 bytes are not wasm: "\{\\"a\\":1\}"/],
    [{ wasmUrl: 'http://127.0.0.1:9/x.wasm' }, /the request failed/],
    [{ wasmUrl: '/nowhere/fovea.wasm' }, /\/nowhere\/fovea\.wasm: ENOENT/],
    [{ wasmBinary: new TextEncoder().encode('\n<html>') }, /wasmBinary: an HTML page/],
    [{ wasmBinary: bytes.subarray(0, 300) }, /wasmBinary \(300 bytes\) does not compile/],
  ];
  for (const [options, message] of cases) {
    await refuses('load', message, options);
    await refuses(
      'load',
      options.wasmBinary === undefined ? remedy : /pass the bytes of the package's dist\/fovea-\*\.wasm/,
      options,
    );
  }
});

test("wasm that is not fovea's is a load error", async () => {
  const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  await refuses('load', /the module cannot be instantiated: it is not fovea's/, { wasmBinary: other });
  await refuses('load', /not fovea's/, { wasmModule: await WebAssembly.compile(other) });
});

test('a module whose blocks have two fields in another order is refused', async () => {
  // The hash stands in the module as a constant: signed, in groups of seven bits.
  const constant = (hash: number): number[] => {
    const groups = [];
    for (let rest = hash | 0; ; rest >>= 7) {
      const isLast = rest >> 6 === 0 || rest >> 6 === -1;
      groups.push((rest & 0x7f) | (isLast ? 0 : 0x80));
      if (isLast) return [0x41, ...groups];
    }
  };
  const own = constant(abiHash());
  const others = swaps(blocks).map((swapped) => constant(abiHash(swapped)));
  const other = others.find(({ length }) => length === own.length)!;
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(Uint8Array.from(own));
  assert.ok(at > 0);
  assert.equal(changed.indexOf(Uint8Array.from(own), at + 1), -1);
  changed.set(other, at);
  await refuses('load', /are of different versions of fovea: serve the \.wasm that came with this package/, {
    wasmBinary: changed,
  });
});

test('the web entry fetches, and explains what it gets', async () => {
  const fovea = await web.load({ wasmUrl: `${base}/good.wasm` });
  assert.equal(fovea.info.variant, 'simd128');
  await refuses('load', /the server answered 404/, { wasmUrl: `${base}/none.wasm` }, web.load);
  await refuses('load', /an HTML page came in its place/, { wasmUrl: `${base}/lying.wasm` }, web.load);
  await refuses('load', /dist\/fovea-.*\.wasm: the request failed/, {}, web.load); // Node's fetch knows no file: URLs
});

test('fovea/inline needs no file, and its classes are those of fovea', async () => {
  const fovea = await inline.load();
  assert.equal(fovea.info.variant, 'simd128');
  const x = numbers([9, 5]);
  same(fovea.attention(x, x, x).output.data, (await load({ deterministic: true })).attention(x, x, x).output.data);
  const tensor = fovea.tensor([1]);
  assert.ok(tensor instanceof Tensor);
  await refuses('option', /unknown option 'wasmUrl'/, { wasmUrl: 'x' }, inline.load);
  await refuses('load', /variant 'relaxed'/, { variant: 'relaxed' }, inline.load);
});

test('importing does nothing, in an engine without WebAssembly, fetch or window too', () => {
  const program = `
    delete globalThis.WebAssembly; delete globalThis.fetch; delete globalThis.FinalizationRegistry;
    const before = Object.keys(globalThis).join();
    for (const entry of ['index.node', 'index.web', 'inline.node', 'inline.web']) {
      const { load, AttentionError } = await import(process.argv[1] + '/dist/' + entry + '.js');
      try { await load(); } catch (error) { console.log(error instanceof AttentionError, error.code, error.message); }
    }
    console.log(before === Object.keys(globalThis).join());
  `;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program, process.cwd()], { encoding: 'utf8' });
  assert.equal(out, 'true load load: this engine has no WebAssembly\n'.repeat(4) + 'true\n');
});

test('a script ends by itself', () => {
  const program = "import { load } from 'fovea'; const f = await load(); f.tensor([1]); console.log(f.info.threads)";
  assert.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 20_000 }),
    '1\n',
  );
});
