/** A Score does not go to a worker; calls that hold one are done in slices all the same where they may be. */
import { test } from 'node:test';
import { score } from 'fovea/score';
import { rejects, remote, worksRemotely } from '../support/remote.ts';

test('a Score in a call to a worker is told before anything is sent', async () => {
  const x = [[1, 2]];
  await rejects(
    'option',
    /attention: score is a Score, which no worker takes/,
    remote.attention(x, x, x, { score: score.cosine() }),
  );
  await worksRemotely();
});
