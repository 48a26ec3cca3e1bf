import { useProject } from "../../api/project.js";
export function Keys() {
  return <p>{useProject().id}</p>;
}
