import { Checkbox } from '../base/components/Field';
import { t, type TextKey } from '../base/text';

interface Props<P extends string> {
  /** Subjects with their permissions, from read to write. */
  subjects: ReadonlyArray<{ key: string; permissions: readonly P[] }>;
  chosen: ReadonlySet<P>;
  /** Without it the permissions are read-only. */
  onToggle?: (permission: P, on: boolean) => void;
}

const verbOf = (permission: string): TextKey => `people.verb.${permission.split('_')[0] as 'READ'}`;

export function PermissionGrid<P extends string>({ subjects, chosen, onToggle }: Props<P>) {
  return (
    <div class="permission-grid">
      {subjects.map((subject) => {
        const name = t(`people.subject.${subject.key}` as TextKey);
        return (
          <div key={subject.key} role="group" aria-label={name}>
            <span class="permission-subject">{name}</span>
            {subject.permissions.map((permission) => (
              <Checkbox
                key={permission}
                label={t(verbOf(permission))}
                checked={chosen.has(permission)}
                disabled={!onToggle}
                onChange={(on) => onToggle?.(permission, on)}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}
