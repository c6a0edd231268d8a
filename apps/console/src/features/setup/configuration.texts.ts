import { countOf } from '../../lib/numbers';

export const texts = {
  onlyAdmins: 'Configuration documents are for administrators.',
  intro:
    'Watchers, tunings, exclusions, sources, admin alerts and integrations as a document that you can keep in git and apply again.',
  export: 'Current configuration',
  exportText: 'Secrets are replaced by ${NAME}.',
  format: 'Format',
  formats: { yaml: 'YAML', json: 'JSON' },
  show: 'Show the document',
  download: 'Download',
  fileName: (day: string, format: string) => `plumbline-${day}.${format}`,
  document: 'Document',
  apply: 'Apply a document',
  applyText: 'First you see what would change. Either all changes are applied, or none.',
  field: 'Document (YAML or JSON)',
  choose: 'Choose a file',
  tooLong: 'A document has at most 500,000 characters.',
  prune: 'Remove everything that the document does not name',
  pruneHint: 'Only of the kinds that it contains. Removing an integration disconnects it.',
  check: 'Show what would change',
  applyNow: (count: number) => `Apply ${countOf(count, 'change')}`,
  nothing: 'Nothing would change.',
  unchanged: (count: number) => `${String(count)} stay as they are.`,
  actions: { created: 'create', updated: 'change', unchanged: 'keep', removed: 'remove' },
  changes: 'What would change',
  applied: (count: number) => `${countOf(count, 'change')} applied.`,
} as const;
