import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { texts } from '../benchmark.texts';
import classes from '../benchmark.module.css';

const MEBIBYTE = 1024 * 1024;
/** Maximum that an operator can allow, bytes: a larger file is refused without sending it. */
const LARGEST_FILE_BYTES = 64 * MEBIBYTE;
const FILES = '.csv,.txt,.tsv,text/csv,text/plain';

/** Why a file cannot be sent; null if it can. */
function lackOf(file: Blob): string | null {
  if (file.size === 0) return texts.emptyFile;
  return file.size > LARGEST_FILE_BYTES ? texts.tooLarge((file.size / MEBIBYTE).toFixed(1)) : null;
}

/**
 * Accepts a CSV by dropping, selecting or pasting. `name`: that of the file without its extension; empty for a text.
 */
export function DropZone({ onFile }: { onFile: (file: Blob, name: string) => void }) {
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const [lack, setLack] = useState<string | null>(null);
  const take = (file: Blob, name: string): void => {
    const why = lackOf(file);
    setLack(why);
    if (why === null) onFile(file, name);
  };
  const takeFile = (file: File | null): void => {
    if (file) take(file, file.name.replace(/\.\w{1,5}$/, ''));
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const { files } = event.dataTransfer;
    if (files.length > 1) setLack(texts.oneFile);
    else takeFile(files[0] ?? null);
  };
  return (
    <div>
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={onDrop}
      >
        <Text fw={600}>{isOver ? texts.dropNow : texts.drop}</Text>
        <Group gap="xs" justify="center">
          <FileButton accept={FILES} onChange={takeFile}>
            {(props) => <Button {...props}>{texts.choose}</Button>}
          </FileButton>
          <Button variant="default" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
            {texts.paste}
          </Button>
        </Group>
        <Text size="xs" className="dim" maw={560}>
          {texts.limits}
        </Text>
      </div>
      {isPasting && (
        <Group align="flex-end" gap="xs" mt="xs">
          <Textarea
            flex={1}
            label={texts.pasteLabel}
            placeholder={texts.pasteHint}
            rows={6}
            classNames={{ input: 'mono' }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button disabled={text.trim() === ''} onClick={() => take(new Blob([text], { type: 'text/csv' }), '')}>
            {texts.pasteRun}
          </Button>
        </Group>
      )}
      {lack !== null && (
        <Text size="sm" c="red" role="alert" mt={6}>
          {lack}
        </Text>
      )}
    </div>
  );
}
