import { Menu } from "@mantine/core";
import { IconButton } from "./button.js";
import { Icon, type IconName } from "./icon.js";

export interface RowAction {
  label: string;
  icon: IconName;
  danger?: boolean;
  onClick: () => void;
}

/** What can be done to a thing, behind three dots; nothing where nothing may be done. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon="dots" label={label} size="small" />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            leftSection={<Icon name={action.icon} size={16} />}
            onClick={action.onClick}
            style={action.danger ? { color: "var(--bad)" } : undefined}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
