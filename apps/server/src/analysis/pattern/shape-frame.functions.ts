import { type Shape } from '#libs/patterns';
import { type ShapeFrame } from './pattern.types.js';

export const frameOf = ({ duration, partStart, partEnd, fine, context }: Shape): ShapeFrame => ({
  duration,
  partStart,
  partEnd,
  fineStep: fine.step,
  contextStep: context.step,
});
