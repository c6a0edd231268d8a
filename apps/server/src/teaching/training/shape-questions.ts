import { type ShapeHistory, shapeHistoryIn } from '#libs/patterns';
import { type Handled } from '../../common/workers/worker-port.js';
import { tryExamples } from './examples.js';
import { type ExampleRequest, type ExampleResult, type ShapeHistoryRequest } from './training.types.js';

/** Requests about shapes that need up to seconds of processor time. */
export type ShapeQuestion =
  { kind: 'examples'; request: ExampleRequest } | { kind: 'occurrences'; request: ShapeHistoryRequest };

export function handleShapes(question: ShapeQuestion): Handled<ExampleResult[] | ShapeHistory[]> {
  const response = question.kind === 'examples' ? tryExamples(question.request) : occurrencesOf(question.request);
  return { response, transfer: [] };
}

/** The results for the first shape in the series also apply to the others. */
const occurrencesOf = ({ shapes, past, opened, ...options }: ShapeHistoryRequest): ShapeHistory[] =>
  shapes.map((shape) => shapeHistoryIn(shape, past, opened, options));
