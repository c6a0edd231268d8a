import { Anchor, Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Empty } from '../../components/page-states';
import { RecordPage, recordId } from '../../components/record-page';
import { type Schema } from '../../lib/api';
import { useKeptDraft } from '../../lib/draft';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { texts as alerts } from './alerts.texts';
import { useChangeWatcher } from './api/watcher-editor';
import { watcherQuery } from './api/watchers';
import { WatcherForm } from './parts/watcher-form';
import { draftOf, type WatcherDraft } from './watcher-draft';
import { texts } from './watcher-editor.texts';

/** Edits a watcher. */
export function EditWatcherPage() {
  const { watcherId } = useParams({ strict: false });
  const id = recordId(watcherId);
  const query = useQuery({ ...watcherQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordPage
      id={id}
      record={{ kind: 'watcher', id: watcherId ?? '' }}
      query={query}
      title={alerts.one(watcherId ?? '')}
    >
      {({ watcher }) => <Editor key={watcher.updated_timestamp} watcher={watcher} />}
    </RecordPage>
  );
}

function Editor({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const navigate = useNavigate();
  const place = `/watchers/${String(watcher.id)}`;
  const kept = useKeptDraft<WatcherDraft>(`watcher ${String(watcher.id)}`, draftOf(watcher));
  const save = useChangeWatcher(watcher, () => {
    kept.forget();
    void navigate({ to: place, search: keepView } as never);
  });
  return (
    <>
      <Anchor size="xs" renderRoot={(props: object) => <Link {...props} to={place} search={keepView as never} />}>
        {texts.back}
      </Anchor>
      <Title order={1} mb="sm">
        {texts.edit(isolated(watcher.name))}
      </Title>
      {watcher.deleted ? (
        <Empty title={alerts.deleted} />
      ) : (
        <WatcherForm kept={kept} isNew={false} save={save} onSave={save.mutate} onAgain={save.reset}>
          <Button
            variant="default"
            renderRoot={(props: object) => <Link {...props} to={place} search={keepView as never} />}
          >
            {texts.cancel}
          </Button>
        </WatcherForm>
      )}
    </>
  );
}
