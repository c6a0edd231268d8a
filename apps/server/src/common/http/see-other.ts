/** A handler returns this to send a browser to another page: a 303 without body and without envelope. */
export class SeeOther {
  /** `location`: an absolute address. */
  constructor(readonly location: string) {}
}
