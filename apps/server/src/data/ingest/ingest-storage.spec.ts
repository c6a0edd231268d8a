import { type INestApplication } from '@nestjs/common';
import { PointLogUnavailableError } from '#libs/point-log';
import { createEdgeApp } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { type HandClock } from '../../../../../test/support/hand-clock.js';
import { Clock } from '../../common/clock.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { IngestStorageService } from './ingest-storage.service.js';
import { PointsNotStoredError } from './ingest.errors.js';

describe('a storage failure', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [], imports: [new FakeIngest().module] });
  });
  afterAll(() => app.close());

  const message = async (): Promise<string | null | undefined> =>
    (await app.get(ReadinessRegistry).run()).find(({ name }) => name === 'ingest')?.message;

  it('makes the process not ready for five seconds, because it needs new bodies to detect the recovery', async () => {
    const clock = app.get<HandClock>(Clock);
    const away = () => Promise.reject(new PointLogUnavailableError('it is away'));
    await expect(app.get(IngestStorageService).attempt(away)).rejects.toThrow(PointsNotStoredError);
    expect(await message()).toBe('points cannot be stored: it is away');
    clock.seconds += 4;
    expect(await message()).toBe('points cannot be stored: it is away');
    clock.seconds += 2;
    expect(await message()).toBeNull();
  });
});
