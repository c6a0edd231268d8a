/** An answer in the format of another protocol: it is sent unchanged, with its own status. */
export class ForeignAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body: Buffer,
  ) {}
}
