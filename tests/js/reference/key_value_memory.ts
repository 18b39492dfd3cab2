/** keyValueMemory in double, from Miller et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, mix, plus, softmax, times, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'padding read' | 'values are keys' | 'q + o R' | 'A for B';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { question, keys, values, candidates, answer } = inputs as Record<string, Matrix> & {
      question: Row;
      answer?: number;
    };
    const { A, R, B = A } = params as { A: Matrix; R: Matrix[]; B?: Matrix };
    const exists = (i: number): boolean => wrong === 'padding read' || i < ((options['memoryLengths'] as number) ?? Infinity);
    const [stored, read] = [keys, values].map((rows) => rows!.map((row) => times(row, A))) as [Matrix, Matrix];
    const [q, o, weights]: Matrix[] = [[times(question, A)], [], []];
    R.forEach((matrix, hop) => {
      const state = q![hop]!;
      const p = softmax(
        (wrong === 'values are keys' ? read : stored).map((key) => dot(state, key)),
        exists,
      );
      const sum = mix(p, read, A[0]!.length);
      q!.push(wrong === 'q + o R' ? plus(state, times(sum, matrix)) : times(plus(state, sum), matrix));
      o!.push(sum);
      weights!.push(p);
    });
    const scores = candidates!.map((one) => dot(q!.at(-1)!, times(one, wrong === 'A for B' ? A : B)));
    const probability = softmax(scores, (y) => y < ((options['candidateLengths'] as number) ?? Infinity));
    return { q, o, weights, probability, ...(answer !== undefined && { loss: -Math.log(probability[answer]!) }) };
  };
