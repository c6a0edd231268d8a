import { Anchor, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useKeptDraft } from '../../lib/draft';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { useCreateWatcher } from './api/watcher-editor';
import { WatcherForm } from './parts/watcher-form';
import { newDraft, type WatcherDraft } from './watcher-draft';
import { texts } from './watcher-editor.texts';

/** Creates a watcher: what, when, whom; with a preview of the messages that it would have sent. */
export function NewWatcherPage() {
  const me = useMe();
  const { chips }: { chips?: string[] } = useSearch({ strict: false });
  const navigate = useNavigate();
  const kept = useKeptDraft<WatcherDraft>(`new watcher ${(chips ?? []).join(' ')}`, newDraft(me.id, chips));
  const save = useCreateWatcher((id) => {
    kept.forget();
    void navigate({ to: '/watchers/$watcherId', params: { watcherId: String(id) }, search: keepView } as never);
  });
  return (
    <>
      <Anchor size="xs" renderRoot={(props: object) => <Link {...props} to="/alerts" search={keepView as never} />}>
        {texts.all}
      </Anchor>
      <Title order={1} mb="sm">
        {texts.title}
      </Title>
      <WatcherForm kept={kept} isNew save={save} onSave={save.mutate} onAgain={save.reset} />
    </>
  );
}
