import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, Tensor, toNested } from 'fovea';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

test('tensor copies an array into wasm memory and dispose gives the memory back', () => {
  leavesNothing(() => {
    const x = fovea.tensor([
      [1, 2],
      [3, 4],
    ]);
    assert.ok(x instanceof Tensor);
    assert.equal(fovea.memory().live, 16);
    assert.deepEqual(
      [x.shape, [...x.data]],
      [
        [2, 2],
        [1, 2, 3, 4],
      ],
    );
    x.dispose();
    x.dispose();
    assert.ok(x.disposed);
  });
});

test('if the first array argument is a Tensor all outputs are Tensors, whatever the others are', () => {
  leavesNothing(() => {
    const q = fovea.tensor(numbers([3, 4], 1));
    const [k, v] = [numbers([5, 4], 2), numbers([5, 2], 3)];
    const options = { returnWeights: true, returnLse: true, returnLogits: 'raw' } as const;
    const got = fovea.attention(q, k, v, options);
    const plain = fovea.attention(q.toArray(), k, v, options);
    for (const name of ['output', 'weights', 'lse', 'logits'] as const) {
      assert.ok(got[name] instanceof Tensor);
      assert.deepEqual(got[name].shape, plain[name]!.shape);
      same(got[name].data, plain[name]!.data);
      got[name].dispose();
    }
    const kTensor = fovea.tensor(k);
    assert.ok(!(fovea.attention(q.toArray(), kTensor, v).output instanceof Tensor));
    q.dispose();
    kTensor.dispose();
  });
});

test('data is never stale: a view taken after growth is whole, toArray is a copy', async () => {
  const own = await load({ deterministic: true });
  const x = own.tensor([1, 2, 3]);
  const early = x.data;
  const copy = x.toArray();
  const big = own.tensor({ data: new Float32Array(8e6), shape: [8e6] });
  assert.equal(early.length, 0, 'growth has detached the early view');
  assert.deepEqual([...x.data], [1, 2, 3]);
  assert.deepEqual([...copy.data], [1, 2, 3]);
  x.data[0] = 9;
  assert.deepEqual([x.toArray().data[0], copy.data[0]], [9, 1]);
  big.dispose();
  x.dispose();
  assert.equal(own.memory().live, 0);
});

test('set overwrites from flat or shaped values and another Tensor', () => {
  const x = fovea.tensor([
    [1, 2],
    [3, 4],
  ]);
  x.set([5, 6, 7, 8]);
  assert.deepEqual(toNested(x), [
    [5, 6],
    [7, 8],
  ]);
  x.set(new Float64Array([1, 2, 3, 4]));
  x.set([
    [4, 3],
    [2, 1],
  ]);
  assert.deepEqual(toNested(x), [
    [4, 3],
    [2, 1],
  ]);
  const y = fovea.tensor([
    [0, 1],
    [0, 1],
  ]);
  x.set(y);
  x.slice(1, 0, 1).set([8, 9]);
  assert.deepEqual(toNested(x), [
    [8, 1],
    [9, 1],
  ]);
  fails('shape', /tensor\.set: values must be as many as the tensor has, 4, got \[1, 2\]/, () => x.set([1, 2]));
  fails('shape', /tensor\.set: values must match the tensor's shape \[2, 2\], got \[1, 4\]/, () => x.set([[1, 2, 3, 4]]));
  fails('value', /tensor\.set: .*got a BigInt64Array/, () => x.set(new BigInt64Array(4) as never));
  y.dispose();
  x.dispose();
});

test('reshape and slice are views of the same memory', () => {
  leavesNothing(() => {
    const x = fovea.tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const flat = x.reshape([6]);
    const row = x.slice(0, 1);
    const column = x.slice(-1, 1, 2);
    assert.equal(fovea.memory().live, 32);
    flat.data[4] = 50;
    assert.deepEqual([toNested(row), toNested(column)], [[[4, 50, 6]], [[2], [50]]]);
    assert.deepEqual(toNested(x.slice(1, 1, 1)), [[], []]);
    fails('shape', /reshape: the shapes must have one size, got \[2, 3\] and \[4\]/, () => x.reshape([4]));
    fails('shape', /reshape: needs contiguous elements.*clone/, () => column.reshape([2]));
    fails('value', /tensor\.data: needs contiguous elements/, () => column.data);
    fails('value', /slice: axis must be an integer from -2 to 1, got 2/, () => x.slice(2, 0));
    fails('value', /slice: to must be an integer from 0 to 3, got 4/, () => x.slice(1, 0, 4));
    fails('value', /slice: from must be an integer from 0 to 1, got 2/, () => x.slice(1, 2, 1));
    x.dispose();
  });
});

test('disposing the owner disposes its views; disposing a view frees nothing', () => {
  const x = fovea.tensor([
    [1, 2],
    [3, 4],
  ]);
  const [a, b] = [x.slice(0, 0, 1), x.reshape([4])];
  a.dispose();
  assert.deepEqual([...x.data], [1, 2, 3, 4]);
  fails('disposed', /tensor\.data: the tensor of shape \[1, 2\] has been disposed/, () => a.data);
  x.dispose();
  fails('disposed', /the tensor of shape \[4\] has been disposed/, () => b.toArray());
  assert.ok(b.disposed);
});

test('a slice is attended to as its copy would be, in every layout of its strides', () => {
  leavesNothing(() => {
    const qkv = fovea.tensor(numbers([2, 5, 3 * 8]));
    const parts = [0, 1, 2].map((part) => qkv.slice(2, 8 * part, 8 * part + 8)) as [Tensor, Tensor, Tensor];
    const options = { heads: 2, causal: true } as const;
    const got = fovea.attention(...parts, options).output;
    const copies = parts.map((part) => part.toArray());
    const want = fovea.attention(copies[0]!, copies[1]!, copies[2]!, options).output;
    same(got.data, want.data);
    const tokens = fovea.attention(parts[0].slice(1, 1, 4), parts[1].slice(0, 1), parts[2].slice(0, 1), options).output;
    const plain = fovea.attention(
      parts[0].slice(1, 1, 4).toArray(),
      parts[1].slice(0, 1).toArray(),
      parts[2].slice(0, 1).toArray(),
      options,
    );
    same(tokens.data, plain.output.data);
    for (const tensor of [got, tokens, qkv]) tensor.dispose();
  });
});

test('clone has memory of its own', () => {
  const x = fovea.tensor([
    [1, 2],
    [3, 4],
  ]);
  const column = x.slice(1, 1).clone();
  x.dispose();
  assert.deepEqual([...column.data], [2, 4]);
  column.dispose();
});

test('a disposed Tensor and one of another instance are refused by name', async () => {
  const x = fovea.tensor([[1]]);
  const y = (await load()).tensor([[1]]);
  fails('value', /attention: k must be a Tensor of this instance/, () => fovea.attention(x, y, x));
  fails('value', /out\.output must be a Tensor of this instance/, () => fovea.attention(x, x, x, { out: { output: y } }));
  x.dispose();
  fails('disposed', /attention: q is a Tensor of shape \[1, 1\] that has been disposed/, () =>
    fovea.attention(x, [[1]], [[1]]),
  );
  fails('disposed', /tensor\.clone: the tensor of shape \[1, 1\] has been disposed/, () => x.clone());
  for (const call of [() => x.data, () => x.toArray(), () => x.set([1]), () => x.reshape([1]), () => x.slice(0, 0)])
    fails('disposed', /has been disposed/, call);
  y.dispose();
});

test('Symbol.dispose is dispose, where the engine has it', { skip: typeof Symbol.dispose !== 'symbol' }, () => {
  leavesNothing(() => fovea.tensor([1])[Symbol.dispose]());
});

test('tensor of a Tensor is its clone; of a view of one, a copy', () => {
  const x = fovea.tensor([1, 2]);
  const copies = [fovea.tensor(x), fovea.tensor({ data: x.data, shape: [2] })];
  x.dispose();
  for (const copy of copies) {
    assert.deepEqual([...copy.data], [1, 2]);
    copy.dispose();
  }
});

test('empty Tensors work', () => {
  leavesNothing(() => {
    const x = fovea.tensor({ data: [], shape: [0, 4] });
    const { output } = fovea.attention(x, x, x);
    assert.deepEqual([output.shape, output.toArray().data.length], [[0, 4], 0]);
    output.dispose();
    x.dispose();
  });
});
