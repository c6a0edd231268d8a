import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { type ParamContext, type ParamFault, type ParamKind, type ParamOptions } from './param-kind.js';
import {
  contextOf,
  judgeOf,
  type ParamRule,
  pathOf,
  rule,
  ruledKind,
  kindRulesOf,
  type RuleMessage,
} from './param-rule.js';
import { type ParamsClass } from './param-registry.js';
import { splitList, unquote } from './param-text.js';
import { Param } from './param.decorator.js';
import { objectKind } from './object-param.decorators.js';

export interface ListBounds {
  minItems?: number;
  /** Default 1000. */
  maxItems?: number;
}

/**
 * List of items of one kind: a JSON array, or one text with commas. Repeated items count once.
 * `@ListParam(enumKind(METRIC_STATES), { default: ['active'] })`, `@ListParam(intKind({ min: 1 }))`
 */
export const ListParam = <T extends string | number>(
  item: ParamKind<T>,
  options: ParamOptions<readonly T[]> & ListBounds = {},
): PropertyDecorator => Param(listKind(item, options), options);

export function listKind<T>(item: ParamKind<T>, bounds: ListBounds = {}): ParamKind<T[]> {
  return listOf(item, bounds, {
    itemsOf: (raw) => (typeof raw === 'string' ? splitList(raw).map(unquote) : jsonItemsOf(raw)),
    notList: 'must be a list',
  });
}

/** List of objects whose members are parameters, JSON only. */
export const ObjectListParam = <T extends object>(
  type: () => ParamsClass<T>,
  options: ParamOptions<readonly T[]> & ListBounds = {},
): PropertyDecorator =>
  Param(
    listOf(objectKind(type), options, {
      itemsOf: jsonItemsOf,
      notList: (value) => (typeof value === 'string' ? 'must be a list of objects' : 'must be a list'),
    }),
    options,
  );

interface ListForm {
  /** Undefined if it is not a list. */
  itemsOf: (raw: unknown) => unknown[] | undefined;
  notList: RuleMessage<unknown>;
}

function jsonItemsOf(raw: unknown): unknown[] | undefined {
  if (Array.isArray(raw)) return raw as unknown[];
  return typeof raw === 'number' ? [raw] : undefined;
}

function listOf<T>(
  item: ParamKind<T>,
  { minItems = 0, maxItems = 1000 }: ListBounds,
  { itemsOf, notList }: ListForm,
): ParamKind<T[]> {
  const { toValue, rules: itemRules } = kindRulesOf(item);
  const itemFaults = faultsOfItems(itemRules);
  const eachItem = { each: true, context: { faults: itemFaults } };
  // Faults inside the items are reported first; class-validator checks the members of objects last.
  const isCounted = (params: object, list: unknown): boolean =>
    Array.isArray(list) && (list.length >= minItems || itemFaults(list, contextOf(params)).length === 0);
  const tooFew = rule('too_few', `must have at least ${String(minItems)} items`, (options) =>
    ArrayMinSize(minItems, { ...options, validateIf: isCounted }),
  );
  return ruledKind({
    shape: 'list',
    schema: () => ({
      type: 'array',
      items: item.schema(),
      ...(minItems === 0 ? {} : { minItems }),
      maxItems,
    }),
    ...(minItems === 0 ? { cleared: [] } : {}),
    toValue: (raw, context) => {
      const items = itemsOf(raw);
      if (items === undefined) return raw;
      // A list that is too long is not converted: its length is enough to refuse it.
      if (items.length > maxItems) return items;
      return withoutRepeats(items.map((entry) => toValue(entry ?? '', context)));
    },
    rules: [
      rule('not_list', notList, IsArray),
      rule('too_many', `must have at most ${String(maxItems)} items`, (options) => ArrayMaxSize(maxItems, options)),
      ...itemRules.map(
        (decorator): ParamRule =>
          (options) =>
            decorator({ ...options, ...eachItem }),
      ),
      ...(minItems === 0 ? [] : [tooFew]),
    ],
  });
}

/** The items as sent, without duplicates: problems refer to the item that a person counts to. */
const sentItems = new WeakMap<object, readonly unknown[]>();

function withoutRepeats(items: readonly unknown[]): unknown[] {
  const unique = [...new Set(items)];
  sentItems.set(unique, items);
  return unique;
}

/** For `each`, class-validator only reports that some item fails; this reports which. */
function faultsOfItems(rules: readonly ParamRule[]): (list: unknown, context: ParamContext) => ParamFault[] {
  const judge = judgeOf(rules);
  return (list, context) => {
    const items = sentItems.get(list as object) ?? (list as unknown[]);
    const faults = items.flatMap((item, index) => judge(item, context).map((fault) => ({ fault, index })));
    // A list of plain values is one field as it was sent: its first wrong item stands for all of them.
    const ofItems = faults.filter(({ fault }) => fault.path === '');
    const ofMembers = faults.filter(({ fault }) => fault.path !== '');
    return [
      ...ofItems.slice(0, 1).map(({ fault, index }) => faultOfItem(fault, index, ofItems.length - 1)),
      ...ofMembers.map(({ fault, index }) => ({ ...fault, path: pathOf(index, fault.path) })),
    ];
  };
}

function faultOfItem(fault: ParamFault, index: number, others: number): ParamFault {
  const rest = others === 0 ? '' : ` and ${String(others)} more`;
  return { ...fault, remark: `${fault.remark ?? ''} (item ${String(index + 1)}${rest})` };
}
