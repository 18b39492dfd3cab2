/** How far a visitor has come in the course: the last step that was opened, kept on this device alone. */

const KEY = 'fovea.learn';

class Progress {
  /** Counted from 1; 0 before the first. */
  reached: number = $state(stored());

  open(step: number): void {
    this.reached = Math.max(this.reached, step);
    try {
      localStorage.setItem(KEY, String(this.reached));
    } catch {
      // Storage can be switched off; the course then begins at its first step.
    }
  }
}

export const progress = new Progress();

function stored(): number {
  try {
    const reached = Number(localStorage.getItem(KEY));
    return Number.isInteger(reached) && reached > 0 && reached <= 10 ? reached : 0;
  } catch {
    return 0;
  }
}
