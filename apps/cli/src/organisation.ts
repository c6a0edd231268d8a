import { UsageError } from './cli-error.js';

interface Organisation {
  id: number;
  name: string;
}

/** The organisation with the given name or id; with neither, the only organisation. */
export function chooseOrganisation<T extends Organisation>(all: readonly T[], wanted: string | undefined): T {
  const names = all.map(({ id, name }) => `"${name}" (${id})`).join(', ');
  if (wanted === undefined) {
    if (all.length === 1) return all[0]!;
    throw new UsageError(
      all.length === 0
        ? 'there is no organisation yet; start the server once (plumbline serve)'
        : `choose an organisation with --org: ${names}`,
    );
  }
  const matches = all.filter(({ id, name }) => name === wanted || String(id) === wanted);
  if (matches.length === 1) return matches[0]!;
  throw new UsageError(
    matches.length === 0
      ? `there is no organisation "${wanted}"; there ${all.length === 1 ? 'is' : 'are'} ${names || 'none'}`
      : `several organisations are called "${wanted}"; give the id: ${names}`,
  );
}
