import { Anchor, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { MetricName } from '../../../components/metric-name';
import { Time } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { useHotkeyList, type Hotkey } from '../../../lib/hotkeys';
import { keepView } from '../../../lib/keep-view';
import { useMayWrite } from '../../../lib/me';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { JudgeButtons, useJudge, Verdict } from './judge-buttons';
import { MatchOverlay } from './match-overlay';

/** Matches with their curves; `j`/`k` select one, `y`/`n` judge it, Enter opens it. */
export function MatchList({ matches, hasMetric }: { matches: readonly Schema<'MatchDto'>[]; hasMetric: boolean }) {
  const [chosenId, setChosenId] = useState<number | null>(null);
  const judging = useJudge();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const { mutate } = judging;
  const index = Math.max(
    0,
    matches.findIndex(({ id }) => id === chosenId),
  );
  const chosen = matches[index];
  const hotkeys = useMemo<Hotkey[]>(() => {
    const group = texts.groupPage;
    const move = (step: number) => (): void =>
      setChosenId(matches[Math.max(0, Math.min(matches.length - 1, index + step))]?.id ?? null);
    const say = (valid: boolean) => (): void => {
      if (chosen === undefined) return;
      // The row disappears after it is judged: the next one is selected.
      setChosenId((matches[index + 1] ?? matches[index - 1])?.id ?? null);
      mutate({ match: chosen, valid });
    };
    return [
      { keys: 'j', label: texts.next, group, run: move(1) },
      { keys: 'k', label: texts.previous, group, run: move(-1) },
      ...(mayWrite
        ? [
            { keys: 'y', label: texts.yes, group, run: say(true) },
            { keys: 'n', label: texts.no, group, run: say(false) },
          ]
        : []),
      {
        keys: 'Enter',
        label: texts.open,
        group,
        run: () => {
          if (chosen) void navigate({ to: `/match/${String(chosen.id)}`, search: keepView } as never);
        },
      },
    ];
  }, [matches, index, chosen, mutate, mayWrite, navigate]);
  useHotkeyList(hotkeys);
  return (
    <ul className={classes.rows}>
      {matches.map((match) => (
        <li
          key={match.id}
          className={classes.judge}
          data-chosen={match.id === chosen?.id || undefined}
          onFocus={() => setChosenId(match.id)}
        >
          <div className={classes.block}>
            {hasMetric && (
              <span className="mono">
                <MetricName name={match.metric} />
              </span>
            )}
            <span>
              <Anchor size="sm" component={Link} to={`/match/${String(match.id)}`} search={keepView as never}>
                <Time at={match.timestamp} />
              </Anchor>{' '}
              {texts.alike(Math.floor(100 * match.similarity))},{' '}
              <Anchor size="sm" component={Link} to={`/pattern/${String(match.pattern_id)}`} search={keepView as never}>
                <bdi>{match.pattern_label === '' ? texts.noLabel(match.pattern_id) : match.pattern_label}</bdi>
              </Anchor>{' '}
              <Verdict validated={match.validated} />
            </span>
            <Text size="xs" className="dim">
              <bdi>{match.explanation}</bdi>
            </Text>
          </div>
          <MatchOverlay id={match.id} height={56} hasKey={false} />
          <JudgeButtons match={match} judging={judging} />
        </li>
      ))}
    </ul>
  );
}
