import { Anchor } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './marked-text.module.css';

/** The subset of Markdown that texts of the API use: code, emphasis and links. */
const MARKS = /(`[^`]*`|\*[^*]*\*|\[[^[\]]*\]\([^()[]*\))/;
const LINK = /^\[(?<text>[^\]]*)\]\((?<to>https?:[^()]*)\)$/;
const STEP = /^\d{1,3}\. /;

function partOf(part: string): ReactNode {
  if (/^`.*`$/.test(part)) return <code className={`mono ${classes.code}`}>{part.slice(1, -1)}</code>;
  if (/^\*.+\*$/.test(part)) return <em>{part.slice(1, -1)}</em>;
  const { text, to } = LINK.exec(part)?.groups ?? {};
  if (text === undefined || to === undefined) return part;
  return (
    <Anchor href={to} target="_blank" rel="noreferrer" inherit>
      {text}
    </Anchor>
  );
}

const marked = (text: string): ReactNode =>
  text.split(MARKS).map((part, i) => <Fragment key={i}>{partOf(part)}</Fragment>);

/** A text of the API; numbered lines become a list. */
export function MarkedText({ text }: { text: string }) {
  const steps: string[] = [];
  for (const line of text.split('\n')) {
    if (STEP.test(line)) steps.push(line.replace(STEP, ''));
    else if (steps.length === 0) return <span>{marked(text)}</span>;
    else steps.push(`${steps.pop() ?? ''} ${line}`);
  }
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step}>{marked(step)}</li>
      ))}
    </ol>
  );
}
