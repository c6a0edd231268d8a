/**
 * The objects created in an empty database. Passwords and tokens are shown to the operator once and not stored in
 * clear.
 */
export interface FirstStart {
  orgId: number;
  orgName: string;
  /** The demo area is to fill the organisation. */
  isDemo: boolean;
  adminEmail: string;
  adminPassword: string;
  /** False: the operator has set it and needs no notice. */
  isPasswordGenerated: boolean;
  /** A token that may only send data. */
  ingestToken: string;
  /** A token that may only fetch. */
  readToken: string;
}
