import { Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyButton } from '../../../components/key-button';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { useMayWrite } from '../../../lib/me';
import { offerUndo } from '../../../lib/undo';
import { judge, reloadPatterns } from '../api/patterns';
import { texts } from '../teach.texts';

/** Sends the verdict on a match; undo restores the former one, or none. */
export function useJudge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ match, valid }: { match: Schema<'MatchDto'>; valid: boolean }) => judge(match.id, valid),
    onSuccess: (_answer, { match, valid }) => {
      offerUndo(valid ? texts.judgedRight : texts.judgedWrong, texts.undo, async () => {
        await judge(match.id, match.validated);
        await reloadPatterns(client);
      });
      return reloadPatterns(client);
    },
  });
}

export function JudgeButtons({ match, judging }: { match: Schema<'MatchDto'>; judging: ReturnType<typeof useJudge> }) {
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const isBusy = judging.isPending && judging.variables.match.id === match.id;
  return (
    <div>
      <Group gap={6}>
        <KeyButton
          hotkey="y"
          size="compact-sm"
          variant="default"
          disabled={isBusy || match.validated === true}
          onClick={() => judging.mutate({ match, valid: true })}
        >
          {texts.yes}
        </KeyButton>
        <KeyButton
          hotkey="n"
          size="compact-sm"
          variant="default"
          disabled={isBusy || match.validated === false}
          onClick={() => judging.mutate({ match, valid: false })}
        >
          {texts.no}
        </KeyButton>
      </Group>
      {judging.isError && judging.variables.match.id === match.id && <Failed error={judging.error} />}
    </div>
  );
}

export function Verdict({ validated }: { validated: boolean | null }) {
  if (validated === null) return null;
  return (
    <Text span size="xs" className="dim">
      {validated ? texts.verdict.right : texts.verdict.wrong}
    </Text>
  );
}
