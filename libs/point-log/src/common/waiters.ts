/** Callers that wait for the next append. */
export class Waiters {
  private readonly waiting = new Set<(isAppended: boolean) => void>();
  private isClosed = false;

  /** False: nothing was appended within that time. */
  wait(timeoutMs: number): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const wake = (isAppended: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve(isAppended);
      };
      const timer = setTimeout(wake, timeoutMs, false);
      this.waiting.add(wake);
    });
  }

  notify(): void {
    for (const wake of [...this.waiting]) wake(true);
  }

  /** Wakes all waiters, and accepts no new ones. */
  close(): void {
    this.isClosed = true;
    this.notify();
  }
}
