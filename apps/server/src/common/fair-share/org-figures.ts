/** Maximum number of organisations with separate figures. */
const SHOWN = 10;
const ORG = /^org:(\d+)$/;

/**
 * A figure of the largest users by the number of their organisation, and of all others together, which include
 * addresses without a credential.
 * @param users the largest first
 */
export function byOrg(users: readonly (readonly [party: string, value: number])[], total: number): [string, number][] {
  const shown = users.slice(0, SHOWN).flatMap(([party, value]): [string, number][] => {
    const org = ORG.exec(party)?.[1];
    return org === undefined ? [] : [[org, value]];
  });
  return [...shown, ['other', total - shown.reduce((sum, [, value]) => sum + value, 0)]];
}
