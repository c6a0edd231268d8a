/** Maximum number of organisations with separate figures. */
const SHOWN = 10;
const ORG = /^org:(\d+)$/;

/**
 * One value for each of the largest organisations, labelled with its number, and one for all others, which include
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
