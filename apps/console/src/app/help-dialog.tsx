import { Anchor, Kbd, List, Modal, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useAllHotkeys } from '../lib/hotkeys';
import { helpTexts } from './help.texts';
import { texts } from './shell.texts';

/** Pages of docs/guide; the server serves all documents below /docs. */
const GUIDE = [
  'first-steps',
  'find-what-is-odd',
  'why-was-it-opened',
  'teach-what-is-expected',
  'find-a-metric',
  'share-and-compare',
  'planned-maintenance',
  'keyboard',
  'console',
] as const;

/** The guide, and every key that has an effect on this page. */
export default function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.help}>
      <Guide />
      <Keys />
    </Modal>
  );
}

function Guide() {
  return (
    <>
      <Text size="xs" className="dim">
        {helpTexts.guide}
      </Text>
      <List size="sm" listStyleType="none" mt={4}>
        {GUIDE.map((page) => (
          <List.Item key={page}>
            <Anchor size="sm" href={`/docs/guide/${page}.html`} target="_blank">
              {helpTexts.guidePages[page]}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </>
  );
}

interface Shown {
  keys: string;
  label: string;
  group: string;
}

/** Keys of parts of the page that have the focus; shown if such a part exists. */
function keysOfParts(): Shown[] {
  return [
    { ...helpTexts.searchKeys, group: texts.groupEverywhere },
    ...(document.querySelector('main [data-interactive]')
      ? helpTexts.chartKeys.map((keys) => ({ ...keys, group: helpTexts.groupChart }))
      : []),
    ...(document.querySelector('main [data-part="window"]')
      ? helpTexts.sliderKeys.map((keys) => ({ ...keys, group: helpTexts.groupSlider }))
      : []),
  ];
}

function Keys() {
  const registered = useAllHotkeys();
  const [ofParts] = useState(keysOfParts);
  const all: Shown[] = [...registered, ...ofParts];
  // The newest registration of a key is the effective one.
  const hotkeys = all.filter(
    ({ keys, group }, i) => !all.some((o, k) => k > i && o.keys === keys && o.group === group),
  );
  const groups = [...new Set(hotkeys.map(({ group }) => group))];
  return (
    <>
      {groups.map((group) => (
        <div key={group}>
          <Text size="xs" className="dim" mt="sm">
            {group}
          </Text>
          <Table>
            <Table.Tbody>
              {hotkeys
                .filter((hotkey) => hotkey.group === group)
                .map(({ keys, label }) => (
                  <Table.Tr key={`${keys} ${label}`}>
                    <Table.Td w={96}>
                      {keys.split(' ').map((key) => (
                        <Kbd key={key} size="xs" mr={4}>
                          {key}
                        </Kbd>
                      ))}
                    </Table.Td>
                    <Table.Td>{label}</Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        </div>
      ))}
    </>
  );
}
