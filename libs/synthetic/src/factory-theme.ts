import { smoothNoise } from './hash-noise.js';
import {
  chance,
  constant,
  COUNT,
  COUNTER,
  DAY,
  type DemoModel,
  GAUGE,
  HOUR,
  jitter,
  MINUTE,
  type ModelContext,
  proportional,
} from './demo-models.js';
import { type DemoTheme } from './demo-theme.js';

const { cos, floor, max, min, PI } = Math;

/** Duration of the start and of the end of a shift. */
const CHANGE_SECONDS = 20 * MINUTE;
const IDLE = 0.06;

/** Shifts from 06:00 to 22:00 on weekdays, to 14:00 on Saturdays, none on Sundays. */
function shiftEndHour(day: number): number {
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 3) % 7) + 7) % 7;
  if (weekday === 6) return 6;
  return weekday === 5 ? 14 : 22;
}

/** Activity on the lines: 0.06 while they are idle, about 1 during a shift. */
function work({ clock, seed }: ModelContext, timestamp: number): number {
  const wall = clock.wallSeconds(timestamp);
  const day = floor(wall / DAY);
  const second = wall - day * DAY;
  const rampUp = (second - 6 * HOUR) / CHANGE_SECONDS;
  const rampDown = (shiftEndHour(day) * HOUR - second) / CHANGE_SECONDS;
  const part = max(0, min(1, rampUp, rampDown));
  return IDLE + (1 - IDLE) * part * (1 + 0.03 * smoothNoise(seed + 1, timestamp, 50 * MINUTE));
}

/** -1 at 04:00, 1 in the afternoon. */
function daylight({ clock }: ModelContext, timestamp: number): number {
  return -cos((2 * PI * (clock.wallSeconds(timestamp) - 4 * HOUR)) / DAY);
}

const MODELS: readonly DemoModel[] = [
  {
    ...COUNTER,
    key: 'parts',
    name: 'parts_produced_total{line="1",site="north"}',
    unit: null,
    description: 'Parts that line 1 has made; nothing at night and on Sundays.',
    restartsWith: 'machine',
    level: (context, t) => 0.9 * work(context, t),
    noise: proportional(0.05),
  },
  {
    ...COUNT,
    key: 'scrap',
    name: 'line-1.scrap_parts',
    unit: null,
    description: 'Parts thrown away per minute.',
    level: (context, t) => 0.8 * work(context, t),
    noise: chance,
  },
  {
    ...GAUGE,
    key: 'rejects',
    name: 'camera_reject_percent{line="1"}',
    unit: '%',
    description: 'Share of parts that the camera refuses.',
    max: 100,
    decimals: 3,
    level: ({ seed }, t) => 1.7 + 0.15 * smoothNoise(seed, t, 5 * HOUR),
    noise: proportional(0.1),
  },
  {
    ...GAUGE,
    key: 'cycle',
    name: 'press.2.cycle_seconds',
    unit: 's',
    description: 'Time that the press needs for a part.',
    min: 1,
    decimals: 3,
    level: ({ seed }, t) => 14.2 + 0.2 * smoothNoise(seed, t, 6 * HOUR),
    noise: constant(0.12),
  },
  {
    ...GAUGE,
    key: 'furnace',
    name: 'furnace_temperature_celsius{furnace="A",zone="2"}',
    unit: '°C',
    description: 'The furnace is never let cool.',
    decimals: 1,
    level: ({ seed }, t) => 865 + 2.4 * smoothNoise(seed, t, 3 * HOUR),
    noise: constant(0.7),
  },
  {
    ...GAUGE,
    key: 'vibration',
    name: 'spindle_vibration_mm_per_s{machine="mill-3"}',
    unit: 'mm/s',
    description: 'Vibration of a spindle; more when it works.',
    decimals: 3,
    level: (context, t) => 0.7 + 1.5 * work(context, t),
    noise: proportional(0.06),
  },
  {
    ...GAUGE,
    key: 'coolant',
    name: 'coolant_temperature_celsius{machine="mill-3"}',
    unit: '°C',
    description: 'Cooling lubricant of the mill.',
    decimals: 2,
    level: (context, t) => 19 + 7 * work(context, t) + 0.8 * daylight(context, t),
    noise: constant(0.15),
  },
  {
    ...GAUGE,
    key: 'power',
    name: 'site.north.power_kw',
    unit: 'kW',
    description: 'Power that the site draws.',
    decimals: 1,
    level: (context, t) => 150 + 610 * work(context, t),
    noise: (context, t, level) => (4 + 0.02 * level) * jitter(context, t),
  },
  {
    ...COUNTER,
    key: 'energy',
    name: 'energy_meter_watt_hours_total{meter="compressors"}',
    unit: 'Wh',
    description: 'What the compressors have used; they also run at night.',
    restartsWith: 'machine',
    level: (context, t) => 12 + 14 * work(context, t),
    noise: proportional(0.05),
  },
  {
    ...GAUGE,
    key: 'air',
    name: 'compressed_air.pressure_bar',
    unit: 'bar',
    description: 'Pressure in the net of compressed air.',
    decimals: 3,
    level: ({ seed }, t) => 7.2 + 0.08 * smoothNoise(seed, t, 2 * HOUR),
    noise: constant(0.025),
  },
  {
    ...GAUGE,
    key: 'tank',
    name: 'tank.oil.level_percent',
    unit: '%',
    description: 'Oil in the tank: used up in two days, then filled again.',
    max: 100,
    decimals: 2,
    level: ({ clock }, t) => {
      const days = clock.wallSeconds(t - 9 * HOUR) / DAY;
      return 92 - 25 * (((days % 2) + 2) % 2);
    },
    noise: constant(0.1),
  },
  {
    ...GAUGE,
    key: 'plc',
    name: 'plc_scan_milliseconds{plc="line-1"}',
    unit: 'ms',
    description: 'Time for a round of the controller.',
    min: 1,
    decimals: 2,
    level: ({ seed }, t) => 11 + 0.3 * smoothNoise(seed, t, 4 * HOUR),
    noise: constant(0.3),
  },
  {
    ...GAUGE,
    key: 'humidity',
    name: 'hall_humidity_percent{hall="2"}',
    unit: '%',
    description: 'Humidity of the air; lower in the afternoon.',
    max: 100,
    decimals: 1,
    level: (context, t) => 46 - 4 * daylight(context, t) + 1.5 * smoothNoise(context.seed, t, 11 * HOUR),
    noise: constant(0.3),
  },
  {
    ...GAUGE,
    key: 'conveyor',
    name: 'conveyor.main.speed_metres_per_minute',
    unit: 'm/min',
    description: 'Speed of the belt, which never stops.',
    decimals: 2,
    level: ({ seed }, t) => 18.4 + 0.1 * smoothNoise(seed, t, 90 * MINUTE),
    noise: constant(0.08),
  },
  {
    ...COUNT,
    key: 'calls',
    name: 'line-1.operator_calls',
    unit: null,
    description: 'How often somebody was called to the line, per minute; mostly not.',
    level: (context, t) => 0.01 + 0.09 * work(context, t),
    noise: chance,
  },
  {
    ...GAUGE,
    key: 'rinse',
    name: 'paint-shop.rinse.litres_per_minute',
    unit: 'l/min',
    description: 'Water for rinsing the paint shop: half an hour every night, next to nothing otherwise.',
    decimals: 1,
    level: ({ seed, isJobRunning }, t) =>
      isJobRunning(t) ? 210 + 8 * smoothNoise(seed, t, 10 * MINUTE) : 2 + 0.2 * smoothNoise(seed, t, HOUR),
    noise: proportional(0.05),
  },
];

/** A factory that works in shifts. */
export const FACTORY: DemoTheme = {
  models: MODELS,
  job: {
    model: 'rinse',
    name: 'nightly rinsing',
    isNew: 'the paint shop was rinsed at night for the first time',
    missed: 'the paint shop was not rinsed',
  },
  outage: { model: 'vibration', hoursBefore: 22 },
  noisy: { model: 'tank', direction: 'down', why: 'the tank is filled every two days, only a loss matters' },
  history: [
    [188, 'energy', 'counter_stop', 25, 0, 'energy meter stopped counting'],
    [168, 'plc', 'spike', 15, 3, 'controller was slow during a backup'],
    [150, 'vibration', 'level_shift', 420, 1.8, 'worn bearing of a spindle'],
    [127, 'air', 'frozen', 300, 1, 'pressure sensor repeated its last value'],
    [108, 'conveyor', 'dip', 40, 0.6, 'belt slipped'],
    [95, 'humidity', 'silence', 35, 1, 'humidity sensor was unreachable'],
    [79, 'cycle', 'growing_spread', 300, 7, 'press became more and more uneven'],
    [66, 'energy', 'counter_stop', 20, 0, 'energy meter stopped counting'],
    [57, 'rejects', 'spike', 15, 6, 'batch of bad raw material'],
    [46, 'furnace', 'level_shift', 360, 0.97, 'furnace door did not close'],
    [39, 'air', 'frozen', 240, 1, 'pressure sensor repeated its last value'],
    [30, 'scrap', 'spike', 40, 25, 'tool broke, parts went to scrap'],
    [25, 'tank', 'level_shift', 600, 0.6, 'oil leaked from the tank'],
    [22, 'vibration', 'level_shift', 170, 1.9, 'a bearing of the mill seized up'],
    [22 - MINUTE / HOUR, 'coolant', 'level_shift', 170, 1.4, 'a bearing that seized up heated the lubricant'],
    [19, 'conveyor', 'dip', 50, 0.5, 'belt slipped'],
    [15, 'cycle', 'growing_spread', 240, 6, 'press became more and more uneven'],
    [11, 'humidity', 'silence', 40, 1, 'humidity sensor was unreachable'],
    [8, 'plc', 'level_shift', 180, 1.6, 'controller program with a slow loop'],
    [6, 'energy', 'counter_stop', 25, 0, 'energy meter stopped counting'],
    [4, 'rejects', 'spike', 12, 7, 'batch of bad raw material'],
    [2.4, 'calls', 'spike', 12, 120, 'operators were called over and over'],
    [1.1, 'furnace', 'frozen', 45, 1, 'thermocouple repeated its last value'],
  ],
  live: [
    ['plc', 'spike', 15, 3, 'controller was slow during a backup'],
    ['conveyor', 'dip', 30, 0.5, 'belt slipped'],
    ['vibration', 'level_shift', 50, 1.8, 'worn bearing of a spindle'],
    ['rejects', 'spike', 12, 7, 'batch of bad raw material'],
    ['energy', 'counter_stop', 20, 0, 'energy meter stopped counting'],
    ['air', 'frozen', 50, 1, 'pressure sensor repeated its last value'],
    ['furnace', 'level_shift', 45, 0.97, 'furnace door did not close'],
    ['cycle', 'growing_spread', 50, 8, 'press became more and more uneven'],
    ['air', 'dip', 20, 0.8, 'compressed air leaked'],
    ['humidity', 'silence', 25, 1, 'humidity sensor was unreachable'],
    ['power', 'level_shift', 50, 1.5, 'heater was left on'],
    ['calls', 'spike', 10, 120, 'operators were called over and over'],
    ['coolant', 'spike', 25, 1.5, 'pump of the cooling lubricant failed'],
    ['conveyor', 'silence', 20, 1, 'speed sensor did not report'],
    ['furnace', 'frozen', 45, 1, 'thermocouple repeated its last value'],
    ['humidity', 'level_shift', 50, 1.35, 'door of the hall stood open'],
    ['plc', 'level_shift', 40, 1.6, 'controller program with a slow loop'],
  ],
};
