import { t } from '../base/text';
import { pieceOf } from './canvas/pieces';
import { invalidJsonIn } from './jsonFields';
import { numbered } from './validity';
import type { Step } from './steps';

/** Pieces that cannot be loaded are skipped. */
export async function invalidJson(trigger: Step): Promise<Array<{ step: Step; number: number; message: string }>> {
  const found = await Promise.all(
    numbered(trigger).map(async ({ step, number }) => {
      const { pieceName, pieceVersion, actionName, triggerName, input, propertySettings } = step.settings;
      const piece = pieceName && !step.skip ? await pieceOf(pieceName, pieceVersion) : undefined;
      const operation = piece?.ok
        ? (piece.value.actions[actionName ?? ''] ?? piece.value.triggers[triggerName ?? ''])
        : undefined;
      return invalidJsonIn(operation?.props ?? {}, input ?? {}, propertySettings).map((field) => ({
        step,
        number,
        message: t('json.invalidStep', { field }),
      }));
    }),
  );
  return found.flat();
}
