import { Button, Group, SegmentedControl } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { CopyLines } from '../../../components/lines/copy-lines';
import { Failed } from '../../../components/page-states';
import { saveFile } from '../../../lib/csv';
import { type SetSearch, useSetSearch } from '../../../lib/set-search';
import { useExport } from '../api/configuration';
import { texts } from '../configuration.texts';
import { type ConfigurationSearch } from '../setup-search';
import { Section } from './section';

const FORMATS = ['yaml', 'json'] as const;

/** The current document, for copying or saving. */
export function ExportPart() {
  const { format: chosen }: ConfigurationSearch = useSearch({ strict: false });
  const format = chosen ?? 'yaml';
  const set: SetSearch<ConfigurationSearch> = useSetSearch({ replace: true });
  const exported = useExport();
  const choose = (next: string): void => {
    exported.reset();
    set({ format: next === 'json' ? next : undefined });
  };
  const document = exported.data?.document;
  const save = (): void => {
    const day = new Date().toISOString().slice(0, 10);
    const type = format === 'json' ? 'application/json' : 'application/yaml';
    if (document !== undefined) saveFile(texts.fileName(day, format), document, type);
  };
  return (
    <Section title={texts.export} text={texts.exportText}>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={texts.format}
          data={FORMATS.map((value) => ({ value, label: texts.formats[value] }))}
          value={format}
          onChange={choose}
        />
        <Button variant="default" loading={exported.isPending} onClick={() => exported.mutate(format)}>
          {texts.show}
        </Button>
        {document !== undefined && (
          <Button variant="default" onClick={save}>
            {texts.download}
          </Button>
        )}
      </Group>
      {exported.error && <Failed error={exported.error} onRetry={() => exported.mutate(format)} />}
      {document !== undefined && <CopyLines title={format} text={document} label={texts.document} />}
    </Section>
  );
}
