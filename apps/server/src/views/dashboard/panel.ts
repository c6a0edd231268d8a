import { NotFoundError } from '../../common/errors/app-error.js';
import { shownName } from '../../common/validation/param-message.js';
import { type COLUMN_TYPES, type PanelColumnDto, type PanelDto, type PanelValue } from './dto/dashboard.dto.js';

type ColumnType = (typeof COLUMN_TYPES)[number];

/** The content of a panel: its columns by name, and the function that finds its rows and their units. */
export interface Panel<Request> {
  columns: Readonly<Record<string, ColumnType>>;
  find(
    request: Request,
  ): Promise<{ rows: Record<string, PanelValue>[]; units?: Readonly<Record<string, string | null>> }>;
}

export class PanelNotFoundError extends NotFoundError {
  constructor(name: string, names: readonly string[]) {
    super(`There is no panel ${shownName(name)}; there are ${names.join(', ')}.`);
  }
}

/** @throws PanelNotFoundError */
export async function answerPanel<Request>(
  panels: Readonly<Record<string, Panel<Request> | undefined>>,
  name: string,
  request: Request,
): Promise<PanelDto> {
  const names = Object.keys(panels);
  const panel = Object.hasOwn(panels, name) ? panels[name] : undefined;
  if (!panel) throw new PanelNotFoundError(name, names);
  const { rows, units = {} } = await panel.find(request);
  const columns = Object.entries(panel.columns).map(([column, type]): PanelColumnDto => {
    return { name: column, type, unit: units[column] ?? null };
  });
  return { panel: name, columns, rows, panels: names };
}

/** Dashboards use milliseconds. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1000);
export const millisecondsOrNull = (seconds: number | null): number | null =>
  seconds === null ? null : milliseconds(seconds);
