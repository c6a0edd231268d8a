/** An answer in the form of another protocol: it goes out as it is, with a status of its own. */
export class ForeignAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body: Buffer,
  ) {}
}
