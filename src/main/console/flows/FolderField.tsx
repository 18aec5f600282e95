import { ComboField } from '../base/components/Combobox';
import { t } from '../base/text';

interface Props {
  folders: ReadonlyArray<{ id: string; displayName: string }>;
  /** Id of the folder; empty for none. */
  value: string;
  onValue: (value: string) => void;
}

export function FolderField({ folders, value, onValue }: Props) {
  return (
    <ComboField
      label={t('flows.folders')}
      value={value}
      onValue={onValue}
      empty={t('flows.noFolder')}
      options={folders.map((each) => ({ value: each.id, label: each.displayName }))}
    />
  );
}
