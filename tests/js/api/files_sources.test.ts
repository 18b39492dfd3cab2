/** fovea/files: where files come from, what is read of them, and what is said where they do not come. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { AttentionError as CoreError } from 'fovea';
import { AttentionError, readNpy, readSafetensors, writeNpy, writeSafetensors, type FileSource } from 'fovea/files';
import { amid, refuses, watched } from '../support/files.ts';

const file = writeSafetensors({ a: [1, 2], b: [3], c: { data: Uint8Array.of(4), shape: [] } });
const npy = writeNpy([[1, 2]]);
const dataStart = file.length - 13;
const web = (await import(`${process.cwd()}/dist/files.web.js`)) as typeof import('fovea/files');

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'fovea-files-'));
  writeFileSync(join(folder, 'x.safetensors'), file);
  writeFileSync(join(folder, 'x y.npy'), npy);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('an error is the AttentionError of fovea', () => assert.equal(AttentionError, CoreError));

describe('sources', () => {
  const names = async (source: FileSource): Promise<string[]> => [...(await readSafetensors(source)).tensors.keys()];

  test('bytes in every kind of buffer, at any place in it', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    const inside = amid(file, 3, 5);
    const foreign = runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...file] }) as ArrayBuffer;
    const sources = [file, file.buffer, shared, shared.buffer, inside, Buffer.from(file), foreign, new Uint8Array(foreign)];
    for (const source of [...sources, new DataView(inside.buffer, 3, file.length)])
      assert.deepEqual(await names(source), ['a', 'b', 'c']);
  });

  test('the arrays are copies', async () => {
    const copy = file.slice();
    const { tensors } = await readSafetensors(copy);
    copy.fill(0);
    assert.deepEqual(tensors.get('a')!.data, Float32Array.of(1, 2));
  });

  test('Blobs and Files, by their own name', async () => {
    assert.deepEqual(await names(new Blob([file])), ['a', 'b', 'c']);
    const { File } = await import('node:buffer');
    await refuses(
      'value',
      /^readNpy: model\.npy: it is a safetensors file: use readSafetensors$/,
      readNpy(new File([file], 'model.npy') as unknown as Blob),
    );
  });

  test('paths and file: URLs in Node', async () => {
    for (const entry of [
      join(folder, 'x.safetensors'),
      pathToFileURL(join(folder, 'x.safetensors')),
      String(pathToFileURL(join(folder, 'x.safetensors'))),
    ])
      assert.deepEqual(await names(entry), ['a', 'b', 'c']);
    assert.deepEqual((await readNpy(pathToFileURL(join(folder, 'x y.npy')))).shape, [1, 2]);
  });

  test('nothing else', async () => {
    for (const source of [undefined, null, 5, {}, [], [1, 2], () => 0, { size: 8, slice() {} }])
      await refuses(
        'value',
        /^readNpy: source must be a path or a URL, a File, a Blob or a Response, or bytes, got /,
        readNpy(source as never),
      );
    const gone = file.slice();
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    await refuses('value', /^readSafetensors: the (Uint8Array|buffer) must not be detached/, readSafetensors(gone));
    await refuses('value', /must not be detached/, readSafetensors(gone.buffer));
  });

  test('what cannot be opened is a load error that names it', async () => {
    await refuses('load', /none\.npy cannot be read: ENOENT/, readNpy(join(folder, 'none.npy')));
    await refuses('load', /cannot be read: it is no regular file/, readNpy(folder));
    await refuses('load', /cannot be read: .*null bytes/, readNpy('a\0b'));
    await refuses('load', /cannot be read: it is no regular file/, readNpy('/dev/zero'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await refuses('load', /cannot be read: it is no regular file/, readNpy(pipe));
  });
});

describe('only what is wanted is read', () => {
  test('of a Blob: the length, the header and the wanted ranges', async () => {
    for (const options of [{ names: ['b'] }, { filter: (name: string) => name === 'b' }]) {
      const { blob, ranges } = watched(file);
      const { tensors } = await readSafetensors(blob, options);
      assert.deepEqual([...tensors], [['b', { data: Float32Array.of(3), shape: [1], dtype: 'F32' }]]);
      assert.deepEqual(ranges, [
        [0, 8],
        [8, dataStart],
        [dataStart + 8, dataStart + 12],
      ]);
    }
  });

  test('of a file on the disk: a terabyte that nobody wants costs nothing', async () => {
    const path = join(folder, 'large.safetensors');
    const size = 2 ** 40;
    const header = JSON.stringify({
      huge: { dtype: 'U8', shape: [size], data_offsets: [4, size + 4] },
      x: { dtype: 'F32', shape: [], data_offsets: [0, 4] },
    });
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
    const first = Buffer.alloc(8);
    first.writeBigUInt64LE(BigInt(padded.length));
    writeFileSync(path, Buffer.concat([first, Buffer.from(padded), Buffer.from(Float32Array.of(7).buffer)]));
    truncateSync(path, 8 + padded.length + 4 + size);
    const { tensors } = await readSafetensors(path, { names: ['x'] });
    assert.deepEqual(tensors.get('x')!.data, Float32Array.of(7));
    await refuses(
      'memory',
      /^readSafetensors: there is no room for 1099511627776 bytes of .*large\.safetensors/,
      readSafetensors(path),
    );
  });

  test('filter is told dtype and shape; names that are not there are an error', async () => {
    const seen: unknown[] = [];
    await readSafetensors(file, { filter: (name, header) => seen.push([name, header]) < 0 });
    assert.deepEqual(seen.slice(1), [
      ['b', { shape: [1], dtype: 'F32' }],
      ['c', { shape: [], dtype: 'U8' }],
    ]);
    await refuses(
      'value',
      /^readSafetensors: the Uint8Array: it has no tensor 'z' among its 3/,
      readSafetensors(file, { names: ['a', 'z'] }),
    );
    await refuses('value', /has no tensor 5/, readSafetensors(file, { names: [5 as never] }));
    assert.deepEqual([...(await readSafetensors(file, { names: ['c', 'a', 'c'] })).tensors.keys()], ['a', 'c']);
    assert.equal((await readSafetensors(file, { names: [] })).tensors.size, 0);
    await assert.rejects(
      readSafetensors(file, {
        filter: () => {
          throw new TypeError('mine');
        },
      }),
      /^TypeError: mine/,
    );
  });

  test('wrong options are refused', async () => {
    await refuses('option', /names and filter exclude each other/, readSafetensors(file, { names: [], filter: () => true }));
    await refuses('option', /unknown option 'name'; did you mean 'names'\?/, readSafetensors(file, { name: [] } as never));
    await refuses(
      'option',
      /as must be 'float32' or 'stored', got 'float16'/,
      readSafetensors(file, { as: 'float16' as never }),
    );
    await refuses('value', /names must be an array, got 'a'/, readSafetensors(file, { names: 'a' as never }));
    await refuses('value', /filter must be a function, got 1/, readSafetensors(file, { filter: 1 as never }));
    await refuses('option', /unknown option 'names'/, readNpy(npy, { names: [] } as never));
  });

  test('a file that changes meanwhile is an error', async () => {
    const { blob } = watched(file);
    const short = Object.assign(blob, { slice: () => new Blob([]) });
    await refuses(
      'value',
      /^readSafetensors: the Blob: it must not change while it is read: 0 of 8 bytes came/,
      readSafetensors(short),
    );
    const lost = Object.assign(watched(file).blob, {
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }),
    });
    await refuses('load', /^readSafetensors: the Blob cannot be read: NotReadableError/, readSafetensors(lost as never));
    const taken = file.slice();
    const promise = readSafetensors(taken);
    structuredClone(taken.buffer, { transfer: [taken.buffer] });
    await refuses('load', /^readSafetensors: the Uint8Array cannot be read: .*detached/, promise);
  });
});

describe('URLs', () => {
  const server = createServer((request, response) => {
    if (request.url === '/x.safetensors') response.end(file);
    else if (request.url === '/page') response.end('\n<!doctype html><title>Not here</title>');
    else if (request.url === '/empty') response.end();
    else if (request.url === '/cut') response.writeHead(200, { 'content-length': '999' }).write(file, () => response.destroy());
    else response.writeHead(404).end('nothing');
  });
  let base = '';
  before(
    () =>
      new Promise<void>((done) =>
        server.listen(0, '127.0.0.1', () => {
          base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
          done();
        }),
      ),
  );
  after(() => server.close());

  for (const [name, files] of [
    ['Node', { readSafetensors, readNpy, AttentionError }],
    ['the web', web],
  ] as const) {
    test(`${name}: a file is fetched, as a text or a URL`, async () => {
      for (const url of [`${base}/x.safetensors`, new URL('/x.safetensors', base)])
        assert.deepEqual([...(await files.readSafetensors(url, { names: ['b'] })).tensors.keys()], ['b']);
      const data = `data:application/octet-stream;base64,${Buffer.from(npy).toString('base64')}`;
      assert.deepEqual((await files.readNpy(data)).shape, [1, 2]);
    });

    test(`${name}: what came in its place is told apart`, async () => {
      await refuses(
        'load',
        /\/none cannot be read: the server answered 404 Not Found/,
        files.readNpy(`${base}/none`),
        files.AttentionError,
      );
      await refuses(
        'load',
        /\/page cannot be read: an HTML page came in its place \("<!doctype html>/,
        files.readSafetensors(`${base}/page`),
        files.AttentionError,
      );
      await refuses(
        'load',
        /\/empty cannot be read: the answer is empty/,
        files.readNpy(`${base}/empty`),
        files.AttentionError,
      );
      await refuses('load', /\/cut cannot be read: /, files.readSafetensors(`${base}/cut`), files.AttentionError);
      await refuses(
        'load',
        /http:\/\/127\.0\.0\.1:1\/ cannot be read: /,
        files.readNpy(new URL('http://127.0.0.1:1/')),
        files.AttentionError,
      );
      await refuses(
        'value',
        /x\.safetensors: it is a safetensors file: use readSafetensors$/,
        files.readNpy(`${base}/x.safetensors`),
        files.AttentionError,
      );
    });
  }

  test('the web: a path is a URL, and no disk is read', async () => {
    await refuses(
      'load',
      /x\.safetensors cannot be read: /,
      web.readSafetensors(join(folder, 'x.safetensors')),
      web.AttentionError,
    );
    await refuses(
      'load',
      /cannot be read: /,
      web.readSafetensors(pathToFileURL(join(folder, 'x.safetensors'))),
      web.AttentionError,
    );
  });

  test('without fetch it is said', async () => {
    const { fetch } = globalThis;
    Object.assign(globalThis, { fetch: undefined });
    try {
      await refuses('load', /this engine has no fetch; pass the bytes/, readNpy(`${base}/x`));
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

test('a Response is read, and one that failed is a load error', async () => {
  const { tensors } = await readSafetensors(new Response(file));
  assert.deepEqual([...tensors.keys()], ['a', 'b', 'c']);
  assert.deepEqual((await readNpy(new Response(npy))).shape, [1, 2]);
  await refuses(
    'load',
    /the Response cannot be read: the server answered 404/,
    readSafetensors(new Response('', { status: 404 })),
  );
  const used = new Response(file);
  await used.text();
  await refuses('load', /the Response cannot be read: /, readSafetensors(used));
});

test('files of other formats are named, and the error says what to do', async () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (c) => c.charCodeAt(0));
  const formats: readonly [begins: string, what: RegExp][] = [
    ['PK\x03\x04 and more', /: it is a zip, as torch\.save writes \.pt and numpy\.savez \.npz: write it with /],
    ['GGUF\x03\0\0\0\x7b\0\0\0', /: it is a GGUF file, as llama\.cpp has: take the safetensors of the model$/],
    ['\x08\x08\x12\x07pytorch\x1a\x03', /: it is an ONNX model: /],
    ['\x80\x02\x8a\x0al\xfc\x9cF\xf9 j', /: it is a pickle, as torch\.save wrote: /],
    ['\x89HDF\r\n\x1a\n', /: it is an HDF5 file, as Keras writes \.h5: /],
    ['\x1f\x8b\x08\0\0\0\0\0\0\x03', /: it is compressed by gzip: /],
    ['version https://git-lfs.github.com/spec/v1\n', /: it is a pointer of Git LFS in place of the file: fetch it with git lfs pull$/],
    ['{"error":"Entry not found"}', /: it is a text in JSON$/],
  ];
  for (const [begins, what] of formats) {
    await refuses('value', what, readSafetensors(bytes(begins.padEnd(80, '\x01'))));
    await refuses('value', what, readNpy(new Blob([bytes(begins)])));
  }
  await refuses('value', /: it is an npy file: use readNpy$/, readSafetensors(npy));
  const page = '<!doctype html><html><body>404</body></html>';
  const path = join(folder, 'page.safetensors');
  writeFileSync(path, page);
  for (const read of [readSafetensors, readNpy] as const)
    for (const source of [path, bytes(page), bytes(`\xef\xbb\xbf\n${page}`), new Blob([page]), new Response(page)])
      await refuses('load', /cannot be read: an HTML page came in its place \("<!doctype html>/, read(source as Blob));
  await refuses('value', /source must be a path or a URL, .*, got a Promise \(await it\)$/, readSafetensors(Promise.resolve(file) as never));
}); // prettier-ignore
