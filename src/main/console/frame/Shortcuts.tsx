import { Dialog } from '../base/components/Dialog';
import { offered } from '../base/commands';
import { onMac, written } from '../base/keymap';
import { createStore, useStore } from '../base/store';
import { t } from '../base/text';

const open = createStore(false);

export const showShortcuts = (): void => open.set(true);

export function Shortcuts() {
  if (!useStore(open)) {
    return null;
  }
  return (
    <Dialog title={t('base.shortcuts')} onClose={() => open.set(false)}>
      <div class="body">
        <dl class="shortcuts">
          {offered()
            .filter((command) => command.keys && command.label)
            .map((command) => (
              <div key={command.id}>
                <dt>{command.label}</dt>
                <dd>
                  {command.keys!.split(' ').map((key) => (
                    <kbd key={key} class="keycap">
                      {written(key, onMac())}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </Dialog>
  );
}
