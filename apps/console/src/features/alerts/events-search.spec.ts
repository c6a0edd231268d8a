import { EVENT_TYPES } from '#libs/contracts';
import { EVENT_GROUPS, levelsFrom, typesOf, validateEventsSearch } from './events-search';

describe('typesOf', () => {
  it('puts each event type into exactly one group', () => {
    const all = EVENT_GROUPS.flatMap(typesOf);
    expect(all.toSorted()).toEqual([...EVENT_TYPES].toSorted());
    expect(typesOf('suppressed')).toEqual(['alert_suppressed']);
    expect(typesOf('alerts')).toContain('admin_alert_raised');
    expect(typesOf('rules')).toContain('exclusion_added');
    expect(typesOf('people')).toContain('user_invited');
  });
});

describe('levelsFrom', () => {
  it('returns the level and all higher levels', () => {
    expect(levelsFrom('warning')).toEqual(['warning', 'alert']);
    expect(levelsFrom('info')).toHaveLength(4);
  });
});

describe('validateEventsSearch', () => {
  it('drops invalid members', () => {
    expect(validateEventsSearch({ what: 'alerts', level: 'warning', metric: 12, page: 2 })).toEqual({
      what: 'alerts',
      level: 'warning',
      metric: '12',
      page: 2,
    });
    expect(validateEventsSearch({ what: 'none', level: 'info', metric: ' ', page: -1 })).toEqual({});
  });
});
