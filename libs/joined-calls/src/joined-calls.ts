export interface JoinedCallsOptions<Asked> {
  /** Maximum number of groups that run at the same time. */
  atOnce: number;
  /** Maximum weight of a group; a single call may weigh more. */
  mostWeight?: number;
  /** Weight of a call; 1 when omitted. */
  weightOf?: (asked: Asked) => number;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Combines calls of the same turn, and calls that are made while others run: many callers cost a few large pieces of
 * work instead of many small ones. Calls are processed in their order.
 */
export class JoinedCalls<Asked, Answer> {
  private waiting: Waiting<Asked, Answer>[] = [];
  private running = 0;
  private isScheduled = false;

  /**
   * @param work returns the results of all calls of a group, in their order; if it rejects, each call of the group
   *   rejects
   */
  constructor(
    private readonly work: (group: readonly Asked[]) => Promise<readonly Answer[]>,
    private readonly options: JoinedCallsOptions<Asked>,
  ) {}

  call(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      this.schedule();
    });
  }

  /** A group starts when all callers of this turn have called. */
  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.running >= this.options.atOnce) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.run(this.takeGroup());
      this.schedule();
    });
  }

  private takeGroup(): Waiting<Asked, Answer>[] {
    const { mostWeight = Infinity, weightOf = () => 1 } = this.options;
    let weight = 0;
    let size = 0;
    while (size < this.waiting.length) {
      weight += weightOf(this.waiting[size]!.asked);
      if (size > 0 && weight > mostWeight) break;
      size++;
    }
    return this.waiting.splice(0, size);
  }

  private async run(group: readonly Waiting<Asked, Answer>[]): Promise<void> {
    this.running++;
    try {
      const answers = await this.work(group.map(({ asked }) => asked));
      group.forEach(({ resolve }, i) => resolve(answers[i]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.running--;
      this.schedule();
    }
  }
}
