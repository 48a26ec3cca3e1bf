import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { toast } from "../../ui/toast.js";

export type Category = Schemas["Category"];
type CategoryFields = Schemas["CategoryInput"];

/** In the order in which they count. */
export const categoriesQuery = ({ api }: Pick<Project, "api">) =>
  queryOptions({
    queryKey: ["categories"],
    queryFn: async () => {
      const { data } = await bodyOf(api.GET("/v1/categories"));
      return data.toSorted((one, other) => one.hierarchy - other.hierarchy || one.name.localeCompare(other.name));
    },
  });

/** One of them, as it is now. */
export const readCategory = ({ api }: Pick<Project, "api">, { id: categoryId }: Category): Promise<Category> =>
  bodyOf(api.GET("/v1/categories/{categoryId}", { params: { path: { categoryId } } }));

export function useCategoryDeeds() {
  const { api } = useProject();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ["categories"] });
  const words = t.categories;
  return {
    async save(of: Category | null, body: CategoryFields) {
      const { name } = await bodyOf(
        of === null
          ? api.POST("/v1/categories", { body })
          : api.PUT("/v1/categories/{categoryId}", { params: { path: { categoryId: of.id } }, body }),
      );
      toast(words.saved(name));
      await onSettled();
    },
    remove: useMutation({
      mutationFn: async ({ of: { id }, everywhere }: { of: Category; everywhere: boolean }) => {
        const query = everywhere ? { remove_from_stacking_rules: "true" as const } : {};
        await bodyOf(api.DELETE("/v1/categories/{categoryId}", { params: { path: { categoryId: id }, query } }));
      },
      onSuccess: (_answer, { of: { name } }) => toast(words.removed(name)),
      onSettled,
    }),
  };
}
