import { actorText, changeText, valueText } from './audit-text';

const actor = { user_id: null, display_name: '', token_ref: null };

describe('entries of the audit log', () => {
  it('name the actor', () => {
    expect(actorText({ ...actor, type: 'user', user_id: 1, display_name: 'Ann' })).toBe('Ann');
    expect(actorText({ ...actor, type: 'token', token_ref: 7 })).toBe('token 7');
    expect(actorText({ ...actor, type: 'token', token_ref: 7, display_name: 'prod' })).toBe('token prod');
    expect(actorText({ ...actor, type: 'operator' })).toBe('operator');
  });

  it('show the value before and after a change', () => {
    expect(changeText({ field: 'alert', before: false, after: true })).toBe('alert: false → true');
    expect(changeText({ field: 'name', before: null, after: 'web' })).toBe('name: – → web');
  });

  it('format lists and objects, and shorten long values', () => {
    expect(valueText(['a', 'b'])).toBe('a, b');
    expect(valueText({ read: true, admin: false, ingest: true })).toBe('read, ingest');
    expect(valueText({ start: '22:00', days: ['mon'] })).toBe('start 22:00, days mon');
    expect(valueText('x'.repeat(500))).toHaveLength(121);
  });
});
