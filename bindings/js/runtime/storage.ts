/** The memory of Tensors. */

/** One allocation that a Tensor owns and its views share. */
export class Storage {
  address: number;
  readonly floats: number;
  /** The Tensor whose `dispose` frees it. */
  owner: object | null = null;
  disposed = false;
  /** Whether the memory is a recorder's, which frees it. */
  isRecorded = false;
  /** Whether the memory is freed when the storage is collected. */
  watched = false;
  /** Disposed when the storage is freed: what is of use only while these numbers are there. */
  dependents: Set<{ dispose(): void }> | null = null;

  constructor(address: number, floats: number) {
    this.address = address;
    this.floats = floats;
  }
}
