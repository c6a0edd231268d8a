/**
 * The objects created in an empty database. Passwords and tokens are shown to the operator once and not stored in
 * clear.
 */
export interface FirstStart {
  orgId: number;
  orgName: string;
  /** True if the demo area is to fill the organisation. */
  isDemo: boolean;
  adminEmail: string;
  adminPassword: string;
  /** False: the operator has set the password and does not need to see it. */
  isPasswordGenerated: boolean;
  /** A token that may only send data. */
  ingestToken: string;
  /** A token that may only read. */
  readToken: string;
}
