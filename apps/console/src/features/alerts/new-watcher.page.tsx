import { Anchor, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { RowsSkeleton } from '../../components/page-states';
import { useKeptDraft } from '../../lib/draft';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { servicesQuery, useCreateWatcher } from './api/watcher-editor';
import { WatcherForm } from './parts/watcher-form';
import { canSend, newDraft, type WatcherDraft } from './watcher-draft';
import { texts } from './watcher-editor.texts';

/** Creates a watcher: what, when, whom; with a preview of the messages that it would have sent. */
export function NewWatcherPage() {
  const services = useQuery(servicesQuery);
  return (
    <>
      <Anchor size="xs" renderRoot={(props: object) => <Link {...props} to="/alerts" search={keepView as never} />}>
        {texts.all}
      </Anchor>
      <Title order={1} mb="sm">
        {texts.title}
      </Title>
      {services.isPending ? (
        <RowsSkeleton rows={8} />
      ) : (
        <Editor canMail={canSend(services.data?.services.find(({ id }) => id === 'email'))} />
      )}
    </>
  );
}

function Editor({ canMail: canMailNow }: { canMail: boolean }) {
  const me = useMe();
  const { chips }: { chips?: string[] } = useSearch({ strict: false });
  const navigate = useNavigate();
  // A later answer about the channel does not change the form.
  const [canMail] = useState(canMailNow);
  const initial = newDraft(canMail ? [me.id] : [], chips);
  const kept = useKeptDraft<WatcherDraft>(`new watcher ${(chips ?? []).join(' ')}`, initial);
  const save = useCreateWatcher((id) => {
    kept.forget();
    void navigate({ to: '/watchers/$watcherId', params: { watcherId: String(id) }, search: keepView } as never);
  });
  return <WatcherForm kept={kept} isNew save={save} onSave={save.mutate} onAgain={save.reset} />;
}
