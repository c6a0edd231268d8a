/** A handler returns this to redirect a browser: a 303 without body and without envelope. */
export class SeeOther {
  /** `location`: an absolute address. */
  constructor(readonly location: string) {}
}
