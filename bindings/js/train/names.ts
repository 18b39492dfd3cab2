/** The exports of fovea/train's entries beside `load`. */
export { batchIndices, type BatchIndicesOptions } from './batch_indices.ts';
export { warmupCosine, warmupLinear, type LearningRate, type WarmupOptions } from './learning_rates.ts';
export { crossEntropy, meanSquaredError, type CrossEntropyOptions } from './losses.ts';
export { adam, adamW, sgd, type AdamOptions, type Optimizer, type SgdOptions } from './optimizers.ts';
export { stopGradient } from './stop_gradient.ts';
export { Trainer, type RunOptions, type StepResult, type TrainerOptions } from './trainer.ts';
export { valueAndGrad, type GradientsOf, type ValueAndGradients } from './value_and_grad.ts';
export type { Differentiable, TensorRecord } from './variables.ts';
